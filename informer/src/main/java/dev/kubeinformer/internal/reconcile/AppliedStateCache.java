package dev.kubeinformer.internal.reconcile;

import java.nio.charset.StandardCharsets;
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
 * Remembers the last apply of a reconciler to each child, and the outcome, which is the
 * object that the API server returned. Request and outcome are kept as hashes, by the UID
 * of the child. A request with the same hash is not sent again while the cache shows the
 * same outcome.
 * <p>
 * The hashes decide where neither the annotation of an applied object nor its values can:
 * if the API server stores values in another form, if it merges in an unknown way, or if
 * the annotation is missing. A transform may remove parts of cached objects. So the
 * outcome is the content of the cached object in the version that the API server
 * returned. A later version with the same content counts as this outcome, too. If only
 * the metadata is cached, only that version counts, and an object with a status never
 * does.
 * <p>
 * A child takes about 128 bytes. Safe for use by several threads.
 * <p>
 * A child is dropped when a cache shows that it is gone. A cache does not show every
 * deletion: it misses children that were created and deleted between two lists, and
 * children that it does not select. Therefore the number of children is also limited to
 * twice the number that the caches hold.
 */
public final class AppliedStateCache {

	/**
	 * Number of remembered children below which no child is dropped, because searching
	 * the caches would cost more.
	 */
	private static final int LEAST = 256;

	/** Flag: the object has a status. */
	private static final int STATUS = 1;

	/** Flag: the hash of the content is known. */
	private static final int COMPARED = 2;

	/** Flag: the object got an annotation. */
	private static final int ANNOTATED = 4;

	private static final ContentHash NONE = new ContentHash(0, 0);

	private final Map<UUID, Applied> states = new ConcurrentHashMap<>();

	private final Function<KubernetesObject, ContentHash> content;

	private final Supplier<Stream<? extends KubernetesObject>> cached;

	/** Whether this class may have forgotten an outcome that a cache will show later. */
	private volatile boolean dropped;

	/** Number of children above which uncached children are dropped. */
	private volatile int limit = LEAST;

	/**
	 * Creates a cache without any apply. So after a start, each child costs one request.
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
	 * @param desired the hash of the request
	 * @return {@code true} if the object was the outcome
	 */
	boolean isOutcome(KubernetesObject cached, ContentHash desired) {
		UUID uid = uid(cached);
		Applied last = (uid != null) ? this.states.get(uid) : null;
		if (last == null || !last.hasDesired(desired)) {
			return false;
		}
		boolean sameVersion = last.version() == version(cached);
		if (cached instanceof Metadata<?>) {
			// An equal version shows that the rest is unchanged, but the cache does not
			// have the status.
			return sameVersion && !last.is(STATUS);
		}
		if (sameVersion && !last.is(COMPARED)) {
			this.states.replace(uid, last, last.withContent(this.content.apply(cached)));
			return true;
		}
		if (!last.is(COMPARED)) {
			return false;
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
	 * Returns whether an object was the outcome of the same request. If nothing is known
	 * of the object, as after a start, it becomes that outcome.
	 * @param cached the object as the cache holds it, which has the desired values
	 * @param desired the hash of the request
	 * @return {@code true} if it was the outcome, or has become it
	 */
	boolean isOutcomeUnlessKnown(KubernetesObject cached, ContentHash desired) {
		UUID uid = uid(cached);
		if (uid == null || this.dropped || this.states.containsKey(uid)) {
			return isOutcome(cached, desired);
		}
		ContentHash outcome = this.content.apply(cached);
		put(uid, Applied.of(desired, outcome, version(cached), COMPARED | ANNOTATED));
		return true;
	}

	/**
	 * Returns whether a request may replace the annotation of another manager. Each
	 * manager may do so once, so that two of them do not alternate forever.
	 * @param there the object
	 * @return {@code false} if an earlier request did so
	 */
	boolean mayAnnotate(KubernetesObject there) {
		UUID uid = uid(there);
		Applied last = (uid != null) ? this.states.get(uid) : null;
		return last == null || !last.is(ANNOTATED);
	}

	/**
	 * Remembers the outcome of a request.
	 * @param returned the object as the API server returned it
	 * @param request the request
	 * @param compared whether the content of the returned object is hashed; otherwise the
	 * content of a cached object in the same version is hashed later
	 * @param status whether the object has a status; {@code false} also without a cache
	 * of metadata
	 */
	void applied(KubernetesObject returned, Request request, boolean compared, boolean status) {
		UUID uid = uid(returned);
		if (uid == null) {
			return;
		}
		ContentHash outcome = compared ? this.content.apply(returned) : NONE;
		int flags = (compared ? COMPARED : 0) | (status ? STATUS : 0) | (request.annotated() ? ANNOTATED : 0);
		Applied before = this.states.get(uid);
		put(uid, Applied.of(request.desired(), outcome, version(returned),
				(before != null) ? flags | before.flags() & ANNOTATED : flags));
	}

	private void put(UUID uid, Applied state) {
		this.states.put(uid, state);
		if (this.states.size() > this.limit) {
			dropUncached();
		}
	}

	// A child that was just applied may not be cached yet; if it is dropped, this costs
	// another request.
	private synchronized void dropUncached() {
		if (this.states.size() <= this.limit) {
			return;
		}
		Set<UUID> present = new HashSet<>();
		int[] number = new int[1];
		this.cached.get().forEach((object) -> {
			number[0]++;
			UUID uid = uid(object);
			if (uid != null && this.states.containsKey(uid)) {
				present.add(uid);
			}
		});
		this.dropped = this.states.keySet().retainAll(present) || this.dropped;
		this.limit = Math.max(LEAST, 2 * number[0]);
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
			// A UID may be any text.
			return UUID.nameUUIDFromBytes(uid.getBytes(StandardCharsets.UTF_8));
		}
	}

	private static long version(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		String version = (metadata != null) ? metadata.getResourceVersion() : null;
		try {
			// An object without a version does not match any object in a cache.
			return (version != null) ? Long.parseUnsignedLong(version) : 0;
		}
		catch (NumberFormatException ex) {
			return UUID.nameUUIDFromBytes(version.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits();
		}
	}

	/**
	 * Sent request.
	 *
	 * @param desired the hash of the body
	 * @param annotated whether it has the annotation
	 */
	record Request(ContentHash desired, boolean annotated) {

	}

	/**
	 * Last apply of a child. Its hashes are numbers, because a small object without
	 * references saves memory.
	 */
	private record Applied(long desiredHigh, long desiredLow, long contentHigh, long contentLow, long version,
			int flags) {

		static Applied of(ContentHash desired, ContentHash content, long version, int flags) {
			return new Applied(desired.high(), desired.low(), content.high(), content.low(), version, flags);
		}

		boolean is(int flag) {
			return (this.flags & flag) != 0;
		}

		boolean hasDesired(ContentHash hash) {
			return this.desiredHigh == hash.high() && this.desiredLow == hash.low();
		}

		Applied withContent(ContentHash hash) {
			return new Applied(this.desiredHigh, this.desiredLow, hash.high(), hash.low(), this.version,
					this.flags | COMPARED);
		}

		boolean hasContent(ContentHash hash) {
			return this.contentHigh == hash.high() && this.contentLow == hash.low();
		}

	}

}
