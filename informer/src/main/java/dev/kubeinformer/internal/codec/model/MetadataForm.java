package dev.kubeinformer.internal.codec.model;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.MetadataMode;

/**
 * Form of a resource whose objects consist of metadata only: the kinds that the API
 * server uses for it, and the conversion of its objects. A server that does not know this
 * form sends whole objects instead. Used by one thread at a time.
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
	 * Creates the form of a resource.
	 * @param type the resource
	 */
	public MetadataForm(ResourceType<?> type) {
		this.apiVersion = type.apiVersion();
		this.kind = type.kind();
	}

	/**
	 * Sets the kind of a resource whose kind only the API server knows.
	 * @param kind the kind
	 */
	public void kind(String kind) {
		this.kind = kind;
	}

	/**
	 * Sets the observer of the form in which objects arrive, which is notified of each
	 * change.
	 * @param observer the observer
	 */
	public void observe(Consumer<MetadataMode> observer) {
		this.observer = observer;
	}

	/**
	 * Returns whether objects, or a list of them, contain only metadata.
	 * @param kind the kind in the response
	 * @return {@code true} for the kind of metadata
	 */
	public static boolean isPartial(String kind) {
		return kind.equals(PARTIAL);
	}

	/**
	 * Returns whether a list contains only metadata.
	 * @param kind the kind of the list
	 * @return {@code true} for the kind of a list of metadata
	 */
	public static boolean isPartialList(String kind) {
		return kind.equals(PARTIAL + "List");
	}

	/**
	 * Notes the form in which objects arrive.
	 * @param partial whether they contain only metadata
	 */
	public void seen(boolean partial) {
		MetadataMode mode = partial ? MetadataMode.SERVER : MetadataMode.CLIENT;
		if (mode != this.last) {
			this.last = mode;
			this.observer.accept(mode);
		}
	}

	/**
	 * Returns the cached form of an object.
	 * @param kind the kind in the response; empty if there is none
	 * @param metadata the metadata of the object; {@code null} if it has none
	 * @return the object; {@code null} without metadata
	 */
	public @Nullable Metadata<?> object(String kind, @Nullable V1ObjectMeta metadata) {
		String known = (this.kind.isEmpty() && !isPartial(kind)) ? kind : this.kind;
		return (metadata != null) ? new Metadata<>(this.apiVersion, known, metadata) : null;
	}

	/**
	 * Returns an object of the kind of the resource.
	 * @param metadata the metadata of the object
	 * @return the object
	 */
	public Metadata<?> of(V1ObjectMeta metadata) {
		return new Metadata<>(this.apiVersion, this.kind, metadata);
	}

}
