package dev.kubeinformer.internal.status;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

/**
 * Objects that cannot be decoded or transformed, in one partition of a cache: a
 * namespace, or all namespaces. Used by the reflector's thread, and by the thread that
 * removes objects of lost shard slots.
 */
public final class Quarantine {

	/**
	 * Maximum length of the description of a problem. The description contains the path
	 * of a field, and the object may have long field names.
	 */
	private static final int LONGEST_PROBLEM = 500;

	/** Maximum number of objects that a message names. */
	private static final int NAMED = 5;

	private final String partition;

	private final ResourceType<?> type;

	private final String done;

	private final StatusTracker status;

	private final Map<ObjectKey, String> uids = new HashMap<>();

	/** Names of the first objects that were added since the last report, by problem. */
	private final Map<String, List<String>> added = new LinkedHashMap<>();

	/** Number of objects added since the last report. */
	private int additions;

	/** Whether the last added object was in the quarantine before and was logged. */
	private boolean known;

	/**
	 * Creates an empty quarantine.
	 * @param partition the partition
	 * @param type the resource
	 * @param transformed {@code true} if objects are transformed after they were decoded;
	 * messages then name both
	 * @param status the tracker that receives the reports
	 */
	public Quarantine(String partition, ResourceType<?> type, boolean transformed, StatusTracker status) {
		this.partition = partition;
		this.type = type;
		this.done = transformed ? "read or transformed" : "read";
		this.status = status;
	}

	/**
	 * Removes all objects without a report.
	 */
	public synchronized void clear() {
		this.uids.clear();
	}

	/**
	 * Removes the objects in shard slots that were lost, and reports the removal. Called
	 * by any thread.
	 * @param lost the slots
	 */
	public synchronized void evict(SlotPredicate lost) {
		if (this.uids.entrySet().removeIf((each) -> lost.test(each.getKey().namespace(), each.getValue()))) {
			this.status.quarantined(this.partition, this.uids.size(), null, false);
		}
	}

	/**
	 * Adds an object without a report.
	 * @param metadata its identity
	 * @param problem the reason why the object cannot be decoded or transformed
	 * @param remains the part of its metadata that could be decoded; {@code null} for
	 * none
	 * @return the known parts of the object
	 */
	public synchronized UnreadableObject add(ObjectMetadata metadata, String problem, @Nullable V1ObjectMeta remains) {
		ObjectKey key = metadata.key();
		this.known = this.uids.put(key, metadata.uid()) != null;
		String why = PrintableText.of(problem, LONGEST_PROBLEM);
		this.additions++;
		if (this.additions <= NAMED) {
			this.added.computeIfAbsent(why, (each) -> new ArrayList<>(NAMED))
				.add(metadata.hasName() ? "'" + PrintableText.of(key.toString()) + "'" : "'an object without a name'");
		}
		V1ObjectMeta remaining = (remains != null) ? remains : new V1ObjectMeta();
		remaining.name(metadata.name()).uid(metadata.uid()).resourceVersion(metadata.resourceVersion());
		if (!metadata.namespace().isEmpty()) {
			remaining.namespace(metadata.namespace());
		}
		return new UnreadableObject(key, metadata.uid(),
				new Metadata<>(this.type.apiVersion(), this.type.kind(), remaining), why);
	}

	/**
	 * Removes an object and reports the removal.
	 * @param metadata its metadata
	 * @return {@code true} if the object was quarantined
	 */
	public synchronized boolean release(ObjectMetadata metadata) {
		boolean released = this.uids.remove(metadata.key()) != null;
		if (released) {
			this.status.quarantined(this.partition, this.uids.size(), null, false);
		}
		return released;
	}

	/**
	 * Reports the number of objects, and names the first ones that were added since the
	 * last report.
	 * @param verb the verb of the request that returned them
	 */
	public synchronized void report(String verb) {
		InformerError error = (this.additions > 0) ? new InformerError(this.status.now(), verb, this.type.name(),
				Problem.MALFORMED, null, "Unreadable",
				"%d of the %s cannot be %s; %s".formatted(this.uids.size(), this.type.name(), this.done, problems()),
				null) : null;
		this.added.clear();
		this.additions = 0;
		this.status.quarantined(this.partition, this.uids.size(), error, this.known && verb.equals("watch"));
	}

	private String problems() {
		String named = this.added.entrySet()
			.stream()
			.map((each) -> "%s %s quarantined: %s".formatted(String.join(", ", each.getValue()),
					(each.getValue().size() == 1) ? "is" : "are", each.getKey()))
			.collect(Collectors.joining("; "));
		return (this.additions > NAMED) ? named + "; and %d more".formatted(this.additions - NAMED) : named;
	}

}
