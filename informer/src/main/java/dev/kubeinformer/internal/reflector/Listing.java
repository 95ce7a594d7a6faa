package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.slots.SlotList;
import dev.kubeinformer.types.ListReason;

/**
 * Facts about a full state, besides its objects.
 *
 * @param resourceVersion the version of the state
 * @param compareContent whether objects are compared by their content, because an equal
 * version does not prove that an object is unchanged. True if the list is older than the
 * cached state but replaces it anyway, or if the list was requested to find damage in the
 * cache
 * @param reason the reason for the list
 * @param duration the time that reading took
 * @param shardSelector the shard to which the server limited the list, according to its
 * response; empty if the response does not name a shard; {@code null} for a streaming
 * list, whose response cannot name one
 * @param slots the shard slots that were requested; {@code null} if the objects are not
 * divided into shard slots
 */
public record Listing(String resourceVersion, boolean compareContent, ListReason reason, Duration duration,
		@Nullable String shardSelector, @Nullable SlotList slots) {

	/**
	 * Creates the facts about a list whose objects are not divided into shard slots.
	 * @param resourceVersion the version of the state
	 * @param compareContent whether objects are compared by their content
	 * @param reason the reason for the list
	 * @param duration the time that reading took
	 * @param shardSelector the shard to which the server limited the list, according to
	 * its response
	 */
	public Listing(String resourceVersion, boolean compareContent, ListReason reason, Duration duration,
			@Nullable String shardSelector) {
		this(resourceVersion, compareContent, reason, duration, shardSelector, null);
	}

	Listing of(SlotList requested) {
		return new Listing(this.resourceVersion, this.compareContent, this.reason, this.duration, this.shardSelector,
				requested);
	}

}
