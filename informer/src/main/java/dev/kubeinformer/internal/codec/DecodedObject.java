package dev.kubeinformer.internal.codec;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * One object of a list or an event: readable, or known by its identity only. For an
 * object of another shard, there is neither the object nor a problem.
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
	 * Creates an object without remains, if it could not be read.
	 * @param metadata the identity, as far as it could be read
	 * @param object the object; {@code null} if it could not be read
	 * @param problem the reason why it could not be read; {@code null} if it could be
	 * read
	 */
	public DecodedObject(ObjectMetadata metadata, @Nullable T object, @Nullable String problem) {
		this(metadata, object, problem, null);
	}

	/**
	 * Returns an object of another shard.
	 * @param <T> the model class
	 * @param metadata the identity of the object
	 * @return the object, without its content
	 */
	public static <T> DecodedObject<T> foreign(ObjectMetadata metadata) {
		return new DecodedObject<>(metadata, null, null);
	}

	/**
	 * Returns whether this is an object of another shard.
	 * @return {@code true} if it was dropped
	 */
	public boolean isForeign() {
		return this.object == null && this.problem == null;
	}

}
