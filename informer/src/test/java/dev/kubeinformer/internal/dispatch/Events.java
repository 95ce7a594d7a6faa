package dev.kubeinformer.internal.dispatch;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;

/**
 * Events of objects {@code ns/name}, and what tests write of them.
 */
final class Events {

	private Events() {
	}

	static Delta<Note> initial(String name, int version) {
		return new Delta<>(Delta.Kind.ADDED, null, object(name, "u", version), true, false);
	}

	static Delta<Note> added(String name, int version) {
		return added(name, "u", version);
	}

	static Delta<Note> added(String name, String uid, int version) {
		return new Delta<>(Delta.Kind.ADDED, null, object(name, uid, version), false, false);
	}

	static Delta<Note> updated(String name, int before, int after) {
		return updated(name, "u", before, after);
	}

	static Delta<Note> updated(String name, String uid, int before, int after) {
		return new Delta<>(Delta.Kind.UPDATED, object(name, uid, before), object(name, uid, after), false, false);
	}

	static Delta<Note> deleted(String name, int version) {
		return deleted(name, "u", version);
	}

	static Delta<Note> deleted(String name, String uid, int version) {
		return new Delta<>(Delta.Kind.DELETED, object(name, uid, version), null, false, false);
	}

	static StoredObject<Note> object(String name, int version) {
		return object(name, "u", version);
	}

	static StoredObject<Note> object(String name, String uid, int version) {
		return new StoredObject<>("ns", name, uid, String.valueOf(version),
				new Note(name, uid, String.valueOf(version)));
	}

	/**
	 * Describes an attempt to handle an event.
	 * @param event the attempt
	 * @return such as {@code +a:1}, {@code a:1>2}, {@code a:1>1 resync} and {@code -a:2},
	 * with {@code #2} and so on behind those that are not the first
	 */
	static String describe(ResourceEvent<Note> event) {
		String change = switch (event.type()) {
			case ADD -> "+" + event.object();
			case UPDATE -> event.oldObject() + ">" + event.object().version() + (event.resync() ? " resync" : "");
			case DELETE -> "-" + event.object();
		};
		return change + ((event.attempt() > 1) ? "#" + event.attempt() : "");
	}

}
