package dev.kubeinformer.internal.codec.json;

import java.io.Serial;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;

import dev.kubeinformer.internal.codec.model.CompactList;
import dev.kubeinformer.internal.codec.model.CompactMap;

/**
 * Replaces the empty collections that models start with by shared ones that cannot be
 * modified. Most stay empty, in every object.
 */
final class EmptyDefaults extends ValueDeserializerModifier {

	@Serial
	private static final long serialVersionUID = 1L;

	@Override
	public BeanDeserializerBuilder updateBuilder(DeserializationConfig config, BeanDescription.Supplier description,
			BeanDeserializerBuilder builder) {
		ValueInstantiator instantiator = builder.getValueInstantiator();
		List<Field> candidates = candidates(description.getBeanClass());
		if (instantiator.canCreateUsingDefault() && !candidates.isEmpty()) {
			builder.setValueInstantiator(new Instantiator(instantiator, candidates));
		}
		return builder;
	}

	private static List<Field> candidates(Class<?> beanClass) {
		List<Field> candidates = new ArrayList<>();
		for (Class<?> type = beanClass; type != null && type != Object.class; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				boolean collection = field.getType() == List.class || field.getType() == Map.class
						|| field.getType() == Collection.class;
				if (collection && (field.getModifiers() & (Modifier.STATIC | Modifier.FINAL)) == 0
						&& field.trySetAccessible()) {
					candidates.add(field);
				}
			}
		}
		return candidates;
	}

	private static final class Instantiator extends ValueInstantiator.Delegating {

		@Serial
		private static final long serialVersionUID = 1L;

		private final transient List<Field> candidates;

		/** The fields that are not null in a new instance. */
		private transient volatile @Nullable Field @Nullable [] filled;

		Instantiator(ValueInstantiator delegate, List<Field> candidates) {
			super(delegate);
			this.candidates = candidates;
		}

		@Override
		public ValueInstantiator createContextual(DeserializationContext context,
				BeanDescription.Supplier description) {
			ValueInstantiator contextual = delegate().createContextual(context, description);
			return (contextual == delegate()) ? this : new Instantiator(contextual, this.candidates);
		}

		@Override
		public Object createUsingDefault(DeserializationContext context) {
			Object bean = super.createUsingDefault(context);
			try {
				Field[] fields = this.filled;
				if (fields == null) {
					fields = filled(bean);
					this.filled = fields;
				}
				for (Field field : fields) {
					field.set(bean, (field.getType() == Map.class) ? CompactMap.of(new Object[0], 0)
							: CompactList.of(new Object[0], 0));
				}
			}
			catch (IllegalAccessException ex) {
				throw new IllegalStateException("Defaults of '%s' cannot be set".formatted(getValueTypeDesc()), ex);
			}
			return bean;
		}

		private Field[] filled(Object bean) throws IllegalAccessException {
			List<Field> found = new ArrayList<>();
			for (Field field : this.candidates) {
				Object value = field.get(bean);
				if ((value instanceof Collection<?> collection && collection.isEmpty())
						|| (value instanceof Map<?, ?> map && map.isEmpty())) {
					found.add(field);
				}
			}
			return found.toArray(Field[]::new);
		}

	}

}
