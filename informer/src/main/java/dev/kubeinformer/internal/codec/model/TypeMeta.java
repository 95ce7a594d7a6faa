package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Objects;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.resource.ResourceType;

/**
 * Sets {@code kind} and {@code apiVersion} of the objects in a list. The API server omits
 * them in the items, because the list implies them.
 */
public final class TypeMeta {

	private static final String NAMELESS = "the field 'metadata.name' is missing";

	private final String apiVersion;

	private final boolean dynamic;

	private String kind;

	private final @Nullable Field apiVersionField;

	private final @Nullable Field kindField;

	/**
	 * Derives {@code kind} and {@code apiVersion} from a resource.
	 * @param type the resource
	 */
	public TypeMeta(ResourceType<?> type) {
		this.apiVersion = type.apiVersion();
		this.kind = type.kind();
		this.dynamic = type.isDynamic() && !type.isMetadata();
		this.apiVersionField = (this.dynamic || type.isMetadata()) ? null : find(type.objectClass(), "apiVersion");
		this.kindField = (this.dynamic || type.isMetadata()) ? null : find(type.objectClass(), "kind");
	}

	/**
	 * Sets the kind to use for objects without a kind.
	 * @param kind the kind
	 */
	public void kind(String kind) {
		this.kind = kind;
	}

	/**
	 * Reads the identity of a decoded object, and sets its {@code kind} and
	 * {@code apiVersion} if they are missing.
	 * @param <T> the model class
	 * @param object the object
	 * @return the object; unreadable if it has no name
	 */
	public <T extends KubernetesObject> DecodedObject<T> identify(@Nullable T object) {
		if (object == null) {
			return unreadable(NAMELESS);
		}
		if (this.dynamic) {
			DecodedObject<T> identified = DynamicObjects.identify(object, this.apiVersion, this.kind);
			return (identified != null) ? identified : unreadable(NAMELESS);
		}
		try {
			V1ObjectMeta meta = object.getMetadata();
			if (meta == null || meta.getName() == null || meta.getName().isEmpty()) {
				return unreadable(NAMELESS);
			}
			return new DecodedObject<>(new ObjectMetadata(Objects.requireNonNullElse(meta.getNamespace(), ""),
					meta.getName(), Objects.requireNonNullElse(meta.getUid(), ""),
					Objects.requireNonNullElse(meta.getResourceVersion(), "")), typed(object), null);
		}
		catch (RuntimeException ex) {
			// A method of a custom class may fail if the object lacks something.
			return unreadable("its class threw " + ex.getClass().getName());
		}
	}

	private static <T> DecodedObject<T> unreadable(String problem) {
		return new DecodedObject<>(new ObjectMetadata("", "", "", ""), null, problem);
	}

	private <T extends KubernetesObject> T typed(T object) {
		T typed = (object.getApiVersion() == null) ? with(this.apiVersionField, object, this.apiVersion) : object;
		return (typed.getKind() == null) ? with(this.kindField, typed, this.kind) : typed;
	}

	@SuppressWarnings("unchecked") // A rebuilt model has the same class.
	private static <T extends KubernetesObject> T with(@Nullable Field field, T object, String value) {
		if (field == null) {
			return object;
		}
		if (Modifier.isFinal(field.getModifiers())) {
			return (T) ModelClass.of(object.getClass())
				.rebuilt(object, (each, old) -> each.equals(field) ? value : old);
		}
		ModelClass.set(field, object, value);
		return object;
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
