package dev.kubeinformer.internal.codec.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.resource.ResourceType;

/**
 * Reads the type of objects without a class of their own. The getters of
 * {@link DynamicKubernetesObject} decode all of the metadata at each call, and fail if a
 * field is missing.
 */
public final class DynamicObjects {

	private DynamicObjects() {
	}

	/**
	 * Returns the kind of an object.
	 * @param object the object
	 * @return the kind; {@code null} if the object does not have it
	 */
	public static @Nullable String kind(KubernetesObject object) {
		return text(((DynamicKubernetesObject) object).getRaw(), "kind");
	}

	/**
	 * Returns whether an object may belong to a resource without a class.
	 * @param type the resource
	 * @param object the object, of any class
	 * @return {@code true} if group and version are those of the resource, and the kind,
	 * too, if it is known
	 */
	public static boolean isOf(ResourceType<?> type, KubernetesObject object) {
		String apiVersion;
		String kind;
		if (object instanceof DynamicKubernetesObject dynamic) {
			apiVersion = text(dynamic.getRaw(), "apiVersion");
			kind = text(dynamic.getRaw(), "kind");
		}
		else {
			apiVersion = object.getApiVersion();
			kind = object.getKind();
		}
		return type.apiVersion().equals(apiVersion) && (type.kind().isEmpty() || type.kind().equals(kind));
	}

	/**
	 * Identifies an object that was read, and sets its kind.
	 * @param <T> the model class
	 * @param object the object
	 * @param apiVersion the apiVersion for an object without one
	 * @param kind the kind for an object without one; empty if it is unknown
	 * @return the object; {@code null} if it has no name
	 */
	static <T extends KubernetesObject> @Nullable DecodedObject<T> identify(T object, String apiVersion, String kind) {
		JsonObject raw = ((DynamicKubernetesObject) object).getRaw();
		if (!(raw.get("metadata") instanceof JsonObject metadata)) {
			return null;
		}
		String name = text(metadata, "name");
		if (name == null || name.isEmpty()) {
			return null;
		}
		if (text(raw, "apiVersion") == null) {
			raw.addProperty("apiVersion", apiVersion);
		}
		if (text(raw, "kind") == null) {
			raw.addProperty("kind", kind);
		}
		return new DecodedObject<>(new ObjectMetadata(textOrEmpty(metadata, "namespace"), name,
				textOrEmpty(metadata, "uid"), textOrEmpty(metadata, "resourceVersion")), object, null);
	}

	private static String textOrEmpty(JsonObject json, String field) {
		String text = text(json, field);
		return (text != null) ? text : "";
	}

	private static @Nullable String text(JsonObject json, String field) {
		JsonElement value = json.get(field);
		return (value != null && value.isJsonPrimitive()) ? value.getAsString() : null;
	}

}
