package dev.kubeinformer.codec;

import java.lang.reflect.Field;
import java.util.Objects;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.ResourceType;

/**
 * Gives objects the kind and apiVersion that their list implies: the API server leaves
 * them out of the items.
 */
public final class TypeMeta {

	private final String apiVersion;

	private final String kind;

	private final @Nullable Field apiVersionField;

	private final @Nullable Field kindField;

	/**
	 * Reads how a resource is typed.
	 * @param type the resource
	 */
	public TypeMeta(ResourceType<?> type) {
		this.apiVersion = type.apiVersion();
		this.kind = type.kind();
		this.apiVersionField = find(type.objectClass(), "apiVersion");
		this.kindField = find(type.objectClass(), "kind");
	}

	/**
	 * Identifies an object that was read, and gives it its kind.
	 * @param <T> the model class
	 * @param object the object
	 * @return the object, which counts as unreadable without a name
	 */
	public <T extends KubernetesObject> DecodedObject<T> identify(@Nullable T object) {
		V1ObjectMeta meta = (object != null) ? object.getMetadata() : null;
		if (object == null || meta == null || meta.getName() == null || meta.getName().isEmpty()) {
			return new DecodedObject<>(new ObjectMetadata("", "", "", ""), null,
					"the field 'metadata.name' is missing");
		}
		imply(object);
		return new DecodedObject<>(new ObjectMetadata(Objects.requireNonNullElse(meta.getNamespace(), ""),
				meta.getName(), Objects.requireNonNullElse(meta.getUid(), ""),
				Objects.requireNonNullElse(meta.getResourceVersion(), "")), object, null);
	}

	private void imply(KubernetesObject object) {
		if (object.getApiVersion() == null) {
			set(this.apiVersionField, object, this.apiVersion);
		}
		if (object.getKind() == null) {
			set(this.kindField, object, this.kind);
		}
	}

	private static void set(@Nullable Field field, KubernetesObject object, String value) {
		if (field != null) {
			try {
				field.set(object, value);
			}
			catch (IllegalAccessException ex) {
				throw new IllegalStateException("Field '%s' cannot be set".formatted(field), ex);
			}
		}
	}

	private static @Nullable Field find(Class<?> objectClass, String name) {
		for (Class<?> type = objectClass; type != null && type != Object.class; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				SerializedName serializedName = field.getAnnotation(SerializedName.class);
				String fieldName = (serializedName != null) ? serializedName.value() : field.getName();
				if (fieldName.equals(name) && field.getType() == String.class && field.trySetAccessible()) {
					return field;
				}
			}
		}
		return null;
	}

}
