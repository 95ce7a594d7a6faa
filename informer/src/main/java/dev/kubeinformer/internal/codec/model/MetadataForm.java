package dev.kubeinformer.internal.codec.model;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.MetadataMode;

/**
 * The form of a resource in which objects are their metadata only: what the API server
 * calls them, and what becomes of them. A server that does not know the form sends whole
 * objects instead. Used by one thread at a time.
 */
public final class MetadataForm {

	/** What the API server calls the metadata of an object of whatever kind. */
	private static final String PARTIAL = "PartialObjectMetadata";

	private final String apiVersion;

	/** Of the objects; empty while it is not known. */
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
	 * Sets the kind of a resource of which only the API server knows it.
	 * @param kind the kind
	 */
	public void kind(String kind) {
		this.kind = kind;
	}

	/**
	 * Sets what is notified of the form in which objects come, whenever it is another one
	 * than before.
	 * @param observer the observer
	 */
	public void observe(Consumer<MetadataMode> observer) {
		this.observer = observer;
	}

	/**
	 * Returns whether objects, or a list of them, come without the rest.
	 * @param kind the kind that the answer gives them
	 * @return whether they do
	 */
	public static boolean isPartial(String kind) {
		return kind.equals(PARTIAL);
	}

	/**
	 * Returns whether a list holds metadata without the rest.
	 * @param kind the kind of the list
	 * @return whether it does
	 */
	public static boolean isPartialList(String kind) {
		return kind.equals(PARTIAL + "List");
	}

	/**
	 * Notes in which form objects come.
	 * @param partial whether they come without the rest
	 */
	public void seen(boolean partial) {
		MetadataMode mode = partial ? MetadataMode.SERVER : MetadataMode.CLIENT;
		if (mode != this.last) {
			this.last = mode;
			this.observer.accept(mode);
		}
	}

	/**
	 * Returns an object as it is cached.
	 * @param kind the kind that the answer gives it; empty if it gives none
	 * @param metadata its metadata; {@code null} if it has none
	 * @return the object; {@code null} without metadata
	 */
	public @Nullable Metadata<?> object(String kind, @Nullable V1ObjectMeta metadata) {
		String known = (this.kind.isEmpty() && !isPartial(kind)) ? kind : this.kind;
		return (metadata != null) ? new Metadata<>(this.apiVersion, known, metadata) : null;
	}

	/**
	 * Returns an object of the kind of the resource.
	 * @param metadata its metadata
	 * @return the object
	 */
	public Metadata<?> of(V1ObjectMeta metadata) {
		return new Metadata<>(this.apiVersion, this.kind, metadata);
	}

}
