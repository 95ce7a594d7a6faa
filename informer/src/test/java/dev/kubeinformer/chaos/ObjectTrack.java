package dev.kubeinformer.chaos;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.kubeinformer.handler.ResourceEvent;

/**
 * State of one object according to the events of one handler, and the events that may
 * follow.
 * <p>
 * After a failed attempt, the handler may or may not have done its work: the next event
 * may begin at the state before or after it.
 */
final class ObjectTrack {

	private static final int REMEMBERED = 20;

	/** Stands for an object that is not there. */
	private static final Version ABSENT = new Version("(absent)", 0);

	private final Deque<String> events = new ArrayDeque<>();

	private final Map<String, Long> newest = new HashMap<>();

	private final Set<Version> possible = new HashSet<>(Set.of(ABSENT));

	private String failedDeletion;

	private boolean busy;

	/**
	 * Begins an attempt.
	 * @param event the event
	 * @return the problem of the event; empty if there is none
	 */
	synchronized List<String> begin(ResourceEvent<?> event) {
		Version version = Version.of(event.object());
		List<String> wrong = new ArrayList<>();
		if (this.busy) {
			wrong.add("it is handled by another thread at the same time");
		}
		this.busy = true;
		if (this.newest.merge(version.uid(), version.resourceVersion(), Math::max) != version.resourceVersion()) {
			wrong.add("its version goes back from " + this.newest.get(version.uid()));
		}
		switch (event.type()) {
			case ADD -> checkAdd(wrong);
			case UPDATE -> checkUpdate(Version.of(event.oldObject()), version, event.resync(), wrong);
			case DELETE -> {
				if (this.possible.stream().noneMatch((known) -> known.uid().equals(version.uid()))) {
					wrong.add("it deletes what was not added");
				}
			}
		}
		remember(event, version, wrong);
		return wrong;
	}

	private void checkAdd(List<String> wrong) {
		if (!this.possible.contains(ABSENT)) {
			wrong.add("it adds what was added already");
		}
		if (this.failedDeletion != null) {
			wrong.add("the deletion before, which failed, is lost");
		}
	}

	private void checkUpdate(Version old, Version version, boolean resync, List<String> wrong) {
		if (!this.possible.contains(old)) {
			wrong.add("its oldObject is " + old + ", which is not the last state that was delivered");
		}
		if (!old.uid().equals(version.uid())) {
			wrong.add("it updates an object to another one");
		}
		if (resync != old.equals(version)) {
			wrong.add(resync ? "it is a resync that changes something" : "it changes nothing and is no resync");
		}
	}

	private void remember(ResourceEvent<?> event, Version version, List<String> wrong) {
		if (this.events.size() == REMEMBERED) {
			this.events.removeFirst();
		}
		StringBuilder text = new StringBuilder().append(LocalTime.now().truncatedTo(ChronoUnit.MILLIS))
			.append(' ')
			.append(event.type())
			.append(' ');
		if (event.oldObject() != null) {
			text.append(Version.of(event.oldObject())).append(" to ");
		}
		text.append(version).append(" attempt ").append(event.attempt());
		if (event.resync()) {
			text.append(" resync");
		}
		if (event.initial()) {
			text.append(" initial");
		}
		if (event.finalStateUnknown()) {
			text.append(" final state unknown");
		}
		if (!wrong.isEmpty()) {
			text.append(" (when it was ").append(this.possible).append("): ").append(String.join("; ", wrong));
		}
		this.events.addLast(text.toString());
	}

	/**
	 * Ends an attempt that failed.
	 * @param event the event
	 */
	synchronized void failed(ResourceEvent<?> event) {
		this.busy = false;
		this.possible.add(after(event));
		this.failedDeletion = (event.type() == ResourceEvent.Type.DELETE) ? event.object().getMetadata().getUid()
				: null;
		this.events.addLast(this.events.removeLast() + " failed");
	}

	/**
	 * Ends an event that was handled, or given up.
	 * @param event the event
	 */
	synchronized void delivered(ResourceEvent<?> event) {
		this.busy = false;
		this.possible.clear();
		this.possible.add(after(event));
		this.failedDeletion = null;
		if (event.type() == ResourceEvent.Type.DELETE) {
			this.newest.keySet().retainAll(Set.of(event.object().getMetadata().getUid()));
		}
	}

	private static Version after(ResourceEvent<?> event) {
		return (event.type() == ResourceEvent.Type.DELETE) ? ABSENT : Version.of(event.object());
	}

	/**
	 * The object as it was delivered last.
	 * @return its version, or {@code null} if it is not there, or if an attempt failed
	 * and is to be repeated
	 */
	synchronized Version present() {
		Version only = (this.possible.size() == 1) ? this.possible.iterator().next() : ABSENT;
		return (only != ABSENT) ? only : null;
	}

	synchronized String history() {
		return String.join("\n", this.events);
	}

}
