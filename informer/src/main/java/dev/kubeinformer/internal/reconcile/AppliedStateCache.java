package dev.kubeinformer.internal.reconcile;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.model.ContentHash;
import dev.kubeinformer.resource.Metadata;

/**
 * What a reconciler applied last to each child, and what came of it: hashes of both, by
 * the UID of the child. An equal request need not be sent again while the cache shows the
 * outcome unchanged. A transform may drop parts of what is cached: the outcome is then
 * what the cache shows at the version that the API server returned, or shows later while
 * that stays the same. Where only the metadata is cached, it is that version alone, and
 * never that of an object with a status. It takes about 128 bytes a child. Safe for use
 * by several threads.
 * <p>
 * A child is dropped when a cache shows that it is gone. Some deletions are never shown:
 * of a child that came and went between two lists, or that is outside of the selection of
 * the cache. Therefore the number of children is also bounded by twice the number of
 * those that the caches hold.
 */
public final class AppliedStateCache {

	/** Fewer children are not worth looking through the caches. */
	private static final int LEAST = 256;

	private final Map<UUID, Applied> states = new ConcurrentHashMap<>();

	private final Function<KubernetesObject, ContentHash> content;

	private final Supplier<Stream<? extends KubernetesObject>> cached;

	/** Number of children above which those that no cache holds are dropped. */
	private volatile int limit = LEAST;

	/**
	 * Creates states that are empty, as after a start: each child costs one request then.
	 * @param content hashes an object without its status, {@code resourceVersion} and
	 * {@code managedFields}
	 * @param cached returns all objects that the caches of the reconciler hold
	 */
	public AppliedStateCache(Function<KubernetesObject, ContentHash> content,
			Supplier<Stream<? extends KubernetesObject>> cached) {
		this.content = content;
		this.cached = cached;
	}

	/**
	 * Returns whether an object was the outcome of the same request.
	 * @param cached the object as the cache holds it
	 * @param body the request
	 * @return whether it was
	 */
	boolean isOutcome(KubernetesObject cached, byte[] body) {
		UUID uid = uid(cached);
		Applied last = (uid != null) ? this.states.get(uid) : null;
		if (last == null || !last.hasDesired(hash(body))) {
			return false;
		}
		boolean sameVersion = last.version() == version(cached);
		if (cached instanceof Metadata<?>) {
			// The version says that the rest is what it was, but gives no status back.
			return sameVersion && !last.status();
		}
		ContentHash content = this.content.apply(cached);
		if (last.hasContent(content)) {
			return true;
		}
		if (sameVersion) {
			this.states.replace(uid, last, last.withContent(content));
		}
		return sameVersion;
	}

	/**
	 * Remembers the outcome of a request.
	 * @param returned the object as the API server returned it
	 * @param body the request
	 * @param status whether it has a status; {@code false} also where no cache is one of
	 * metadata
	 */
	void applied(KubernetesObject returned, byte[] body, boolean status) {
		UUID uid = uid(returned);
		if (uid != null) {
			ContentHash desired = hash(body);
			ContentHash outcome = this.content.apply(returned);
			this.states.put(uid, new Applied(desired.high(), desired.low(), outcome.high(), outcome.low(),
					version(returned), status));
			if (this.states.size() > this.limit) {
				dropUncached();
			}
		}
	}

	// A child that was applied just now may not be cached yet: it costs another request.
	private synchronized void dropUncached() {
		if (this.states.size() <= this.limit) {
			return;
		}
		Set<UUID> present = new HashSet<>();
		this.cached.get().forEach((object) -> {
			UUID uid = uid(object);
			if (uid != null && this.states.containsKey(uid)) {
				present.add(uid);
			}
		});
		this.states.keySet().retainAll(present);
		this.limit = Math.max(LEAST, 2 * this.states.size());
	}

	/**
	 * Forgets an object that is gone.
	 * @param gone the object as it was last known
	 */
	public void forget(KubernetesObject gone) {
		UUID uid = uid(gone);
		if (uid != null) {
			this.states.remove(uid);
		}
	}

	int size() {
		return this.states.size();
	}

	private static @Nullable UUID uid(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		String uid = (metadata != null) ? metadata.getUid() : null;
		if (uid == null) {
			return null;
		}
		try {
			return UUID.fromString(uid);
		}
		catch (IllegalArgumentException ex) {
			// Any text may be a UID.
			return UUID.nameUUIDFromBytes(uid.getBytes(StandardCharsets.UTF_8));
		}
	}

	private static long version(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		String version = (metadata != null) ? metadata.getResourceVersion() : null;
		try {
			// Without one it is that of no object in a cache.
			return (version != null) ? Long.parseUnsignedLong(version) : 0;
		}
		catch (NumberFormatException ex) {
			return hash(version.getBytes(StandardCharsets.UTF_8)).high();
		}
	}

	private static ContentHash hash(byte[] body) {
		try {
			ByteBuffer digest = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(body));
			return new ContentHash(digest.getLong(), digest.getLong());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/**
	 * One object of few bytes, instead of one with two others.
	 */
	private record Applied(long desiredHigh, long desiredLow, long contentHigh, long contentLow, long version,
			boolean status) {

		boolean hasDesired(ContentHash hash) {
			return this.desiredHigh == hash.high() && this.desiredLow == hash.low();
		}

		Applied withContent(ContentHash hash) {
			return new Applied(this.desiredHigh, this.desiredLow, hash.high(), hash.low(), this.version, this.status);
		}

		boolean hasContent(ContentHash hash) {
			return this.contentHigh == hash.high() && this.contentLow == hash.low();
		}

	}

}
