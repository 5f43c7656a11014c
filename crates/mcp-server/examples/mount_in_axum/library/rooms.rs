//! Reading rooms: seats and lights.

use super::Library;
use crate::problem::Problem;
use schemars::JsonSchema;
use serde::Serialize;

/// How a room is now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RoomState {
    /// How many seats nobody has taken
    pub(crate) free_seats: u8,
    /// Whether the lights are on
    pub(crate) lights: bool,
}

/// The rooms that are there.
pub(super) fn open(library: &Library) {
    let rooms = [("garden", 12), ("attic", 3)];
    library.lock().rooms =
        rooms.map(|(name, seats)| (name.into(), RoomState { free_seats: seats, lights: false })).into();
}

impl Library {
    /// The state of a room.
    pub(crate) fn room(&self, room: &str) -> Result<RoomState, Problem> {
        self.change_room(room, |_| Ok(()))
    }

    /// Switches the lights.
    pub(crate) fn switch(&self, room: &str, on: bool) -> Result<RoomState, Problem> {
        self.change_room(room, |state| {
            state.lights = on;
            Ok(())
        })
    }

    /// Takes seats.
    pub(crate) fn seat(&self, room: &str, count: u8) -> Result<RoomState, Problem> {
        self.change_room(room, |state| {
            let left = state.free_seats.checked_sub(count);
            state.free_seats = left.ok_or(Problem::Full(state.free_seats, count))?;
            Ok(())
        })
    }

    fn change_room(
        &self,
        room: &str,
        change: impl FnOnce(&mut RoomState) -> Result<(), Problem>,
    ) -> Result<RoomState, Problem> {
        let mut inventory = self.lock();
        let state = inventory.rooms.get_mut(room).ok_or_else(|| Problem::NoRoom(room.to_owned()))?;
        change(state)?;
        Ok(state.clone())
    }
}
