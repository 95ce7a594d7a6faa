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
 * Reads {@code kind} and {@code apiVersion} of objects without a model class. The getters
 * of {@link DynamicKubernetesObject} are not used, because each call decodes all of the
 * metadata and fails if a field is missing.
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
	 * Returns whether an object may belong to a resource without a model class.
	 * @param type the resource
	 * @param object the object, of any class
	 * @return {@code true} if the object has the group and version of the resource and,
	 * if the kind of the resource is known, that kind
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
	 * Reads the identity of a decoded object, and sets its {@code kind} and
	 * {@code apiVersion} if they are missing.
	 * @param <T> the model class
	 * @param object the object
	 * @param apiVersion the {@code apiVersion} to set
	 * @param kind the {@code kind} to set; empty if it is unknown
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
