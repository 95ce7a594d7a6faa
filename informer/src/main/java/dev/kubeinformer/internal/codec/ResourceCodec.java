package dev.kubeinformer.internal.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.MetadataMode;

/**
 * One encoding of one resource, read object by object: a list is never in memory as a
 * whole, and an object that cannot be read does not affect others. Used by one thread at
 * a time.
 *
 * @param <T> the model class
 */
public interface ResourceCodec<T extends KubernetesObject> {

	/**
	 * Reads a page of a list.
	 * @param body the body of the response; it is not closed
	 * @param items receives each unknown item
	 * @return the page without its items
	 * @throws MalformedResponseException if the body is not a list of this resource
	 * @throws IOException if the body could not be read
	 */
	ListHeader readList(InputStream body, ListItems<T> items) throws IOException;

	/**
	 * Reads only the version of a list.
	 * @param body the body of the response; it is not closed
	 * @return the version; empty if it has none
	 * @throws MalformedResponseException if the body is not a list
	 * @throws IOException if the body could not be read
	 */
	String readListVersion(InputStream body) throws IOException;

	/**
	 * Reads one event of a watch.
	 * @param event the event, without its delimiter
	 * @return the event
	 * @throws MalformedResponseException if it is not an event of this resource
	 */
	WatchFrame<T> readEvent(byte[] event) throws MalformedResponseException;

	/**
	 * Reads only the identity from an event about an object of another shard.
	 * @param event the event, without its delimiter
	 * @param shard the shard
	 * @return the event; {@code null} if it concerns another object, or if it must be
	 * decoded to decide that
	 */
	default @Nullable WatchFrame<T> readForeign(byte[] event, ShardFilter shard) {
		return null;
	}

	/**
	 * Returns whether an event adds a known object.
	 * @param event the event, without its delimiter
	 * @param known the objects
	 * @return {@code true} if it need not be decoded; {@code false} also for bytes that
	 * are not an event
	 */
	boolean addsKnown(byte[] event, KnownObjects known);

	/**
	 * Sets the kind of a resource whose kind only the API server knows.
	 * @param kind the kind
	 */
	default void discovered(String kind) {
		// Most codecs know the kind from the beginning.
	}

	/**
	 * Sets the observer of the form in which the metadata of objects arrives, if only
	 * metadata is requested.
	 * @param observer notified with the first response, and whenever the form changes
	 */
	default void observeMetadata(Consumer<MetadataMode> observer) {
		// Most codecs read whole objects.
	}

	/**
	 * Sets the observer for models on the class path that this encoding cannot use.
	 * @param observer receives the reason, as text
	 */
	default void observeMissingModels(Consumer<String> observer) {
		// Most codecs accept all models.
	}

	/**
	 * Returns whether mutable parts of objects may be shared with other objects.
	 * @return {@code true} if parts may be shared
	 */
	default boolean sharesParts() {
		return false;
	}

	/**
	 * Stops sharing earlier parts: later objects share nothing with those that were read
	 * before.
	 */
	default void forgetParts() {
		// Most codecs share no parts.
	}

}
