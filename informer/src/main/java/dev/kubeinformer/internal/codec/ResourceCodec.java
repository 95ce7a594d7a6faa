package dev.kubeinformer.internal.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.MetadataMode;

/**
 * Reads one resource in one encoding, JSON or protobuf. It reads one object at a time: a
 * list is never completely in memory, and an unreadable object does not affect the
 * others. Used by one thread at a time.
 *
 * @param <T> the model class
 */
public interface ResourceCodec<T extends KubernetesObject> {

	/**
	 * Reads a page of a list.
	 * @param body the body of the response; it is not closed
	 * @param items receives the items, except those that are
	 * {@linkplain ListItems#known() known} in the same version
	 * @return the metadata of the list
	 * @throws MalformedResponseException if the body is not a list of this resource
	 * @throws IOException if the body could not be read
	 */
	ListHeader readList(InputStream body, ListItems<T> items) throws IOException;

	/**
	 * Reads only the version of a list.
	 * @param body the body of the response; it is not closed
	 * @return the version; empty if the list has none
	 * @throws MalformedResponseException if the body is not a list
	 * @throws IOException if the body could not be read
	 */
	String readListVersion(InputStream body) throws IOException;

	/**
	 * Reads one event of a watch.
	 * @param event the event, without its delimiter
	 * @return the event
	 * @throws MalformedResponseException if the bytes are not an event of this resource
	 */
	WatchFrame<T> readEvent(byte[] event) throws MalformedResponseException;

	/**
	 * Reads only the identity from an event about an object of another shard.
	 * @param event the event, without its delimiter
	 * @param shard the shard
	 * @return the event; {@code null} if the object does not belong to another shard, or
	 * if only decoding shows whether it does
	 */
	default @Nullable WatchFrame<T> readForeign(byte[] event, ShardFilter shard) {
		return null;
	}

	/**
	 * Returns whether an event adds an object that is cached in the same version, so that
	 * it need not be decoded.
	 * @param event the event, without its delimiter
	 * @param known the cached objects
	 * @return {@code true} if the object of the event need not be decoded; {@code false}
	 * also for bytes that are not an event
	 */
	boolean addsKnown(byte[] event, KnownObjects known);

	/**
	 * Sets the kind of the resource after its discovery from the API server.
	 * @param kind the kind
	 */
	default void discovered(String kind) {
		// Most codecs know the kind from the beginning.
	}

	/**
	 * Sets an observer, for a codec that requests only the metadata of objects. The
	 * observer learns whether the API server sends only metadata, or whole objects.
	 * @param observer notified with the first response, and whenever this changes
	 */
	default void observeMetadata(Consumer<MetadataMode> observer) {
		// Most codecs read complete objects.
	}

	/**
	 * Sets an observer. It is called if this encoding cannot be decoded because the model
	 * classes on the class path are incompatible.
	 * @param observer receives the reason, as text
	 */
	default void observeMissingModels(Consumer<String> observer) {
		// Most codecs accept all models.
	}

	/**
	 * Returns whether a decoded object may share mutable values with other objects.
	 * @return {@code true} if values may be shared
	 */
	default boolean sharesParts() {
		return false;
	}

	/**
	 * Forgets the values that were kept for sharing: objects that are read later share
	 * nothing with objects that were read before.
	 */
	default void forgetParts() {
		// Most codecs do not share values.
	}

}
