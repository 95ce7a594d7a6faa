package dev.kubeinformer.internal.codec;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Object of a list or an event. Of an unreadable object, only the identity, the problem
 * and perhaps some metadata are known. Of an object of another shard, only the identity
 * is known.
 *
 * @param <T> the model class
 * @param metadata the identity, as far as it could be read
 * @param object the object; {@code null} if it could not be read
 * @param problem the reason why it could not be read: our own text with the path of the
 * field, never a value; {@code null} if it could be read
 * @param remains the readable metadata of an unreadable object: its owners, its
 * finalizers, and whether it is being deleted; {@code null} if there is none
 */
public record DecodedObject<T>(ObjectMetadata metadata, @Nullable T object, @Nullable String problem,
		@Nullable V1ObjectMeta remains) {

	/**
	 * Creates an object. If it could not be read, only its identity is known.
	 * @param metadata the identity, as far as it could be read
	 * @param object the object; {@code null} if it could not be read
	 * @param problem the reason why it could not be read; {@code null} if it could be
	 * read
	 */
	public DecodedObject(ObjectMetadata metadata, @Nullable T object, @Nullable String problem) {
		this(metadata, object, problem, null);
	}

	/**
	 * Creates an object of another shard, which has no content.
	 * @param <T> the model class
	 * @param metadata the identity of the object
	 * @return the object
	 */
	public static <T> DecodedObject<T> foreign(ObjectMetadata metadata) {
		return new DecodedObject<>(metadata, null, null);
	}

	/**
	 * Returns whether this is an object of another shard.
	 * @return {@code true} if its content was dropped
	 */
	public boolean isForeign() {
		return this.object == null && this.problem == null;
	}

}
