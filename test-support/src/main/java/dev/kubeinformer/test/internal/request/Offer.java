package dev.kubeinformer.test.internal.request;

import java.util.function.BiConsumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Representations that can be served for a request.
 *
 * @param metadataOnly whether metadata-only objects are supported
 * @param protobuf the objects that are available as protobuf
 */
public record Offer(boolean metadataOnly, Protobuf protobuf) {

	private static final String ATTRIBUTE = Offer.class.getName();

	/**
	 * Returns the representations that {@link #make} has stored for a request.
	 * @param attributes the attributes of the request
	 * @return the representations, or {@code null} if none were stored
	 */
	public static @Nullable Offer of(Function<String, @Nullable Object> attributes) {
		return (attributes.apply(ATTRIBUTE) instanceof Offer offer) ? offer : null;
	}

	/**
	 * Stores these representations in the attributes of a request, where {@link #of}
	 * finds them.
	 * @param attributes sets an attribute of the request
	 */
	public void make(BiConsumer<String, Object> attributes) {
		attributes.accept(ATTRIBUTE, this);
	}

	boolean includes(Representation representation, boolean asProtobuf) {
		if (representation.isMetadata()) {
			return this.metadataOnly;
		}
		return !asProtobuf || (representation.form() == Representation.Form.FULL && this.protobuf == Protobuf.ALL);
	}

	/**
	 * Objects that can be served as protobuf.
	 */
	public enum Protobuf {

		/**
		 * No objects.
		 */
		NONE,

		/**
		 * Only the metadata of objects. Metadata has its own protobuf message, so it is
		 * available for objects of each resource.
		 */
		METADATA,

		/**
		 * Complete objects and the metadata of objects.
		 */
		ALL

	}

}
