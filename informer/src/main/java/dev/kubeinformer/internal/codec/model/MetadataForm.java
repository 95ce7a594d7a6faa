package dev.kubeinformer.internal.codec.model;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.MetadataMode;

/**
 * Creates the {@link Metadata} objects of a resource of which only metadata is requested.
 * It knows the kinds that the API server uses for objects without content. A server that
 * does not support such requests sends complete objects instead. Used by one thread at a
 * time.
 */
public final class MetadataForm {

	/** Kind that the API server uses for the metadata of any object. */
	private static final String PARTIAL = "PartialObjectMetadata";

	private final String apiVersion;

	/** Kind of the objects; empty while it is unknown. */
	private String kind;

	private Consumer<MetadataMode> observer = (mode) -> {
	};

	private @Nullable MetadataMode last;

	/**
	 * Creates an instance for a resource.
	 * @param type the resource
	 */
	public MetadataForm(ResourceType<?> type) {
		this.apiVersion = type.apiVersion();
		this.kind = type.kind();
	}

	/**
	 * Sets the kind of the resource after its discovery from the API server.
	 * @param kind the kind
	 */
	public void kind(String kind) {
		this.kind = kind;
	}

	/**
	 * Sets the observer that learns whether objects arrive as metadata only. It is
	 * notified at the first object and when this changes.
	 * @param observer the observer
	 */
	public void observe(Consumer<MetadataMode> observer) {
		this.observer = observer;
	}

	/**
	 * Returns whether an object contains only metadata.
	 * @param kind the kind in the response
	 * @return {@code true} if this is the kind of objects without content
	 */
	public static boolean isPartial(String kind) {
		return kind.equals(PARTIAL);
	}

	/**
	 * Returns whether a list contains only metadata.
	 * @param kind the kind of the list
	 * @return {@code true} if this is the kind of lists whose objects have no content
	 */
	public static boolean isPartialList(String kind) {
		return kind.equals(PARTIAL + "List");
	}

	/**
	 * Notes whether objects arrive as metadata only.
	 * @param partial {@code true} if an object without content has arrived
	 */
	public void seen(boolean partial) {
		MetadataMode mode = partial ? MetadataMode.SERVER : MetadataMode.CLIENT;
		if (mode != this.last) {
			this.last = mode;
			this.observer.accept(mode);
		}
	}

	/**
	 * Creates the object to cache from the metadata in a response.
	 * @param kind the kind in the response; empty if there is none
	 * @param metadata the metadata of the object; {@code null} if there is none
	 * @return the object; {@code null} if there is no metadata
	 */
	public @Nullable Metadata<?> object(String kind, @Nullable V1ObjectMeta metadata) {
		String known = (this.kind.isEmpty() && !isPartial(kind)) ? kind : this.kind;
		return (metadata != null) ? new Metadata<>(this.apiVersion, known, metadata) : null;
	}

	/**
	 * Creates an object with the kind of the resource.
	 * @param metadata the metadata of the object
	 * @return the object
	 */
	public Metadata<?> of(V1ObjectMeta metadata) {
		return new Metadata<>(this.apiVersion, this.kind, metadata);
	}

}
