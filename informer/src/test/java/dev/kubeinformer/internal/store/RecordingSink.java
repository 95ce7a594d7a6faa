package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Sink that records what it is given, such as {@code +a@1 initial}, {@code a@1>a@2} and
 * {@code -a@2 unknown}.
 */
class RecordingSink implements DeltaSink<String> {

	private final List<String> events = new ArrayList<>();

	List<String> events() {
		return this.events;
	}

	@Override
	public void delta(Delta<String> delta) {
		this.events.add(switch (delta.kind()) {
			case ADDED -> "+" + delta.after().object() + (delta.initial() ? " initial" : "");
			case UPDATED -> delta.before().object() + ">" + delta.after().object();
			case DELETED -> "-" + delta.last().object() + (delta.finalStateUnknown() ? " unknown" : "");
		});
	}

	@Override
	public void resync(StoredObject<String> object) {
		this.events.add("resync " + object.object());
	}

	@Override
	public void initialStateComplete() {
		this.events.add("complete");
	}

	@Override
	public void initialStateReset() {
		this.events.add("reset");
	}

}
