package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ListReason;

/**
 * Facts about a full state beside its objects.
 *
 * @param resourceVersion its version
 * @param compareContent whether equal versions prove nothing, because the list is older
 * than what was seen before and authoritative all the same, or because it was asked for
 * to find damage
 * @param reason why it was asked for
 * @param duration how long it took to read
 * @param shardSelector the shard that the server says the list was limited to, empty if
 * it says none; {@code null} for a streaming list, which cannot say it
 */
public record Listing(String resourceVersion, boolean compareContent, ListReason reason, Duration duration,
		@Nullable String shardSelector) {

}
