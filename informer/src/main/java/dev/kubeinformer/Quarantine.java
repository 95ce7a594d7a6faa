package dev.kubeinformer;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

/**
 * What is present in one partition and cannot be read or transformed. Used by the
 * reflector's thread only.
 */
final class Quarantine {

	/** It holds the path of a field, and with it names that the object may choose. */
	private static final int LONGEST_PROBLEM = 500;

	private final String partition;

	private final String resource;

	private final String done;

	private final StatusTracker status;

	private final Map<ObjectKey, String> uids = new HashMap<>();

	/** Whether the last of them was here before, and was logged. */
	private boolean known;

	/**
	 * Creates one that is empty.
	 * @param partition the partition
	 * @param resource the name of the resource
	 * @param transformed whether objects are transformed, too
	 * @param status where they are reported
	 */
	Quarantine(String partition, String resource, boolean transformed, StatusTracker status) {
		this.partition = partition;
		this.resource = resource;
		this.done = transformed ? "read or transformed" : "read";
		this.status = status;
	}

	/**
	 * Removes all, without a report.
	 */
	void clear() {
		this.uids.clear();
	}

	/**
	 * Adds an object, without a report.
	 * @param metadata its metadata
	 * @param problem why it cannot be read
	 * @return what is to be reported
	 */
	String add(ObjectMetadata metadata, String problem) {
		ObjectKey key = metadata.key();
		this.known = this.uids.put(key, metadata.uid()) != null;
		return "'%s' is quarantined: %s".formatted(
				metadata.hasName() ? PrintableText.of(key.toString()) : "an object without a name",
				PrintableText.of(problem, LONGEST_PROBLEM));
	}

	/**
	 * Removes an object, and reports it.
	 * @param metadata its metadata
	 * @return whether it was there
	 */
	boolean release(ObjectMetadata metadata) {
		boolean released = this.uids.remove(metadata.key()) != null;
		if (released) {
			this.status.quarantined(this.partition, this.uids.size(), null, false);
		}
		return released;
	}

	/**
	 * Reports how many there are.
	 * @param verb the request they came by
	 * @param problem what {@link #add} returned last; {@code null} for none
	 */
	void report(String verb, @Nullable String problem) {
		InformerError error = (problem != null) ? new InformerError(this.status.now(), verb, this.resource,
				Problem.MALFORMED, null, "Unreadable",
				"%d of the %s cannot be %s; %s".formatted(this.uids.size(), this.resource, this.done, problem), null)
				: null;
		this.status.quarantined(this.partition, this.uids.size(), error, this.known && verb.equals("watch"));
	}

}
