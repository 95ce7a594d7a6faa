package dev.kubeinformer.internal.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.MetadataMode;

/**
 * One encoding of one resource, read object by object: a list is never in memory as a
 * whole, and one object that cannot be read costs no other. Used by one thread at a time.
 *
 * @param <T> the model class
 */
public interface ResourceCodec<T extends KubernetesObject> {

	/**
	 * Reads a page of a list.
	 * @param body the body of the answer; it is not closed
	 * @param items receives each item that it does not know
	 * @return what the page says beside its items
	 * @throws MalformedResponseException if the body is not a list of this resource
	 * @throws IOException if the body could not be read
	 */
	ListHeader readList(InputStream body, ListItems<T> items) throws IOException;

	/**
	 * Reads of a list only the version.
	 * @param body the body of the answer; it is not closed
	 * @return the version; empty if it has none
	 * @throws MalformedResponseException if the body is no list
	 * @throws IOException if the body could not be read
	 */
	String readListVersion(InputStream body) throws IOException;

	/**
	 * Reads one event of a watch.
	 * @param event the event, without what separates it from others
	 * @return the event
	 * @throws MalformedResponseException if it is not an event of this resource
	 */
	WatchFrame<T> readEvent(byte[] event) throws MalformedResponseException;

	/**
	 * Reads of an event about an object of another shard only the identity of the object.
	 * @param event the event, without what separates it from others
	 * @param shard the shard
	 * @return the event; {@code null} if it is another one, or has to be read to know it
	 */
	default @Nullable WatchFrame<T> readForeign(byte[] event, ShardFilter shard) {
		return null;
	}

	/**
	 * Returns whether an event adds an object that is known.
	 * @param event the event, without what separates it from others
	 * @param known the objects
	 * @return whether it need not be read; {@code false} also for what is no event
	 */
	boolean addsKnown(byte[] event, KnownObjects known);

	/**
	 * Sets the kind of a resource of which only the API server knows it.
	 * @param kind the kind
	 */
	default void discovered(String kind) {
		// Most know it from the beginning.
	}

	/**
	 * Sets what is notified of the form in which the metadata of objects comes, where
	 * nothing else is read of them.
	 * @param observer notified with the first answer, and whenever it is another one
	 */
	default void observeMetadata(Consumer<MetadataMode> observer) {
		// Most read whole objects.
	}

	/**
	 * Sets what is notified where the models on the class path lack what this encoding
	 * needs of them.
	 * @param observer receives why, in words for people
	 */
	default void observeMissingModels(Consumer<String> observer) {
		// Most take the models as they are.
	}

	/**
	 * Returns whether parts of objects that can be changed, by a setter, may be parts of
	 * others too.
	 * @return whether they may
	 */
	default boolean sharesParts() {
		return false;
	}

	/**
	 * Stops sharing the parts that it has read: what it reads from now on shares nothing
	 * with what it read before.
	 */
	default void forgetParts() {
		// Most share none.
	}

}
