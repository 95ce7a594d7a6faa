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
 * version does not prove that an object is unchanged. This is so if the list is older
 * than the state before but replaces it anyway, or if it was requested to find damage in
 * the cache
 * @param reason the reason for the list
 * @param duration the time that reading took
 * @param shardSelector the shard to which the server says it limited the list, empty if
 * it does not say so; {@code null} for a streaming list, which cannot say it
 * @param slots the slots that were requested; {@code null} if objects are not divided by
 * slots that move
 */
public record Listing(String resourceVersion, boolean compareContent, ListReason reason, Duration duration,
		@Nullable String shardSelector, @Nullable SlotList slots) {

	/**
	 * Creates the facts about a list whose objects are not divided by slots that move.
	 * @param resourceVersion the version of the state
	 * @param compareContent whether equal versions prove nothing
	 * @param reason the reason for the list
	 * @param duration the time that reading took
	 * @param shardSelector the shard to which the server says it limited the list
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
