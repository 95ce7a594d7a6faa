package dev.kubeinformer.internal.dispatch;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;

/**
 * Events of objects {@code ns/name}, and what tests write of them.
 */
final class Events {

	private Events() {
	}

	static Delta<String> initial(String name, int version) {
		return new Delta<>(Delta.Kind.ADDED, null, object(name, "u", version), true, false);
	}

	static Delta<String> added(String name, int version) {
		return added(name, "u", version);
	}

	static Delta<String> added(String name, String uid, int version) {
		return new Delta<>(Delta.Kind.ADDED, null, object(name, uid, version), false, false);
	}

	static Delta<String> updated(String name, int before, int after) {
		return updated(name, "u", before, after);
	}

	static Delta<String> updated(String name, String uid, int before, int after) {
		return new Delta<>(Delta.Kind.UPDATED, object(name, uid, before), object(name, uid, after), false, false);
	}

	static Delta<String> deleted(String name, int version) {
		return deleted(name, "u", version);
	}

	static Delta<String> deleted(String name, String uid, int version) {
		return new Delta<>(Delta.Kind.DELETED, object(name, uid, version), null, false, false);
	}

	static StoredObject<String> object(String name, int version) {
		return object(name, "u", version);
	}

	static StoredObject<String> object(String name, String uid, int version) {
		return new StoredObject<>("ns", name, uid, String.valueOf(version), name + ":" + version);
	}

	static StoredObject<String> subject(Delivery<String> delivery) {
		return (delivery.after() != null) ? delivery.after() : delivery.before();
	}

	/**
	 * Describes an attempt to handle an event.
	 * @param delivery the attempt
	 * @return such as {@code +a:1}, {@code a:1>2}, {@code a:1>1 resync} and {@code -a:2},
	 * with {@code #2} and so on behind those that are not the first
	 */
	static String describe(Delivery<String> delivery) {
		String event = switch (delivery.kind()) {
			case ADDED -> "+" + delivery.after().object();
			case UPDATED -> delivery.before().object() + ">" + delivery.after().resourceVersion()
					+ (delivery.resync() ? " resync" : "");
			case DELETED -> "-" + delivery.before().object();
		};
		return event + ((delivery.attempt() > 1) ? "#" + delivery.attempt() : "");
	}

}
