package dev.kubeinformer.internal.codec.json;

import java.util.Arrays;
import java.util.List;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * Lets Jackson see classes as Gson does: by their fields, named by
 * {@code @SerializedName}.
 */
final class GsonFieldIntrospector extends NopAnnotationIntrospector {

	private static final long serialVersionUID = 1L;

	private final boolean keepManagedFields;

	GsonFieldIntrospector(boolean keepManagedFields) {
		this.keepManagedFields = keepManagedFields;
	}

	@Override
	public @Nullable PropertyName findNameForDeserialization(MapperConfig<?> config, Annotated annotated) {
		SerializedName name = (annotated instanceof AnnotatedField) ? annotated.getAnnotation(SerializedName.class)
				: null;
		return (name != null) ? PropertyName.construct(name.value()) : null;
	}

	@Override
	public @Nullable List<PropertyName> findPropertyAliases(MapperConfig<?> config, Annotated annotated) {
		SerializedName name = annotated.getAnnotation(SerializedName.class);
		return (name != null) ? Arrays.stream(name.alternate()).map(PropertyName::construct).toList() : null;
	}

	@Override
	public boolean hasIgnoreMarker(MapperConfig<?> config, AnnotatedMember member) {
		return !this.keepManagedFields && member.getDeclaringClass() == V1ObjectMeta.class
				&& member.getName().equals("managedFields");
	}

	@Override
	public String[] findEnumValues(MapperConfig<?> config, AnnotatedClass annotatedClass, Enum<?>[] constants,
			String[] names) {
		for (int i = 0; i < constants.length; i++) {
			for (AnnotatedField field : annotatedClass.fields()) {
				SerializedName name = field.getAnnotation(SerializedName.class);
				if (name != null && field.getName().equals(constants[i].name())) {
					names[i] = name.value();
				}
			}
		}
		return names;
	}

}
