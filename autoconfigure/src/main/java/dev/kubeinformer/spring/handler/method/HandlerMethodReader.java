package dev.kubeinformer.spring.handler.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.ExpressionException;
import org.springframework.util.ClassUtils;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.ResourceEvent.Type;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.AsyncMethods;
import dev.kubeinformer.spring.bean.BeanMethods;
import dev.kubeinformer.spring.bean.ComposedAnnotations;
import dev.kubeinformer.spring.handler.method.HandlerMethod.Signature;
import dev.kubeinformer.spring.settings.AnnotationValues;

/**
 * Reads the annotated methods of a handler: checks their signatures and finds the model
 * class in their parameters.
 */
public final class HandlerMethodReader {

	private static final String ALLOWED = """
			Give the method the return type 'void', and one of these parameter lists, where T is the model class:
			  @OnAdd:    (T) or (ResourceEvent<T>)
			  @OnUpdate: (T), (T before, T after) or (ResourceEvent<T>)
			  @OnDelete: (T), (T, boolean finalStateUnknown) or (ResourceEvent<T>)""";

	private final ConfigurableListableBeanFactory beanFactory;

	private final AnnotationValues values;

	private final BeanMethods beanMethods;

	public HandlerMethodReader(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.values = new AnnotationValues(beanFactory);
		this.beanMethods = new BeanMethods(beanFactory);
	}

	/**
	 * Reads the methods of a bean.
	 * @param bean the bean
	 * @return the methods, or {@code null} if none is annotated
	 */
	public @Nullable HandlerMethods read(AnnotatedBean<InformerHandler> bean) {
		Map<Method, Map<Type, String>> annotated = MethodIntrospector.selectMethods(bean.type(),
				HandlerMethodReader::conditions);
		if (annotated.isEmpty()) {
			return null;
		}
		Map<Type, HandlerMethod> byEvent = new EnumMap<>(Type.class);
		Set<ResolvableType> objectTypes = new LinkedHashSet<>();
		annotated.forEach((method, conditions) -> {
			objectTypes.addAll(objectTypes(bean, method));
			conditions.forEach((type, condition) -> {
				refuseDivided(bean, method, type);
				HandlerMethod previous = byEvent.put(type, handlerMethod(bean, method, type, condition));
				if (previous != null) {
					throw InvalidHandlerException.ofMethod(bean, method,
							"but '%s' is called for the same event"
								.formatted(BeanMethods.describe(bean, previous.method())),
							"Keep one @%s method; it may call others.".formatted(annotationName(type)), null);
				}
			});
		});
		return new HandlerMethods(HandlerModel.of(bean, objectTypes), byEvent);
	}

	private static void refuseDivided(AnnotatedBean<InformerHandler> bean, Method method, Type type) {
		String divided = ComposedAnnotations.divided(method, annotation(type));
		if (divided != null) {
			throw InvalidHandlerException.ofMethod(bean, method, divided, ComposedAnnotations.KEEP_ONE, null);
		}
	}

	private static @Nullable Map<Type, String> conditions(Method method) {
		Map<Type, String> conditions = new EnumMap<>(Type.class);
		OnAdd add = AnnotatedElementUtils.findMergedAnnotation(method, OnAdd.class);
		if (add != null) {
			conditions.put(Type.ADD, add.condition());
		}
		OnUpdate update = AnnotatedElementUtils.findMergedAnnotation(method, OnUpdate.class);
		if (update != null) {
			conditions.put(Type.UPDATE, update.condition());
		}
		OnDelete delete = AnnotatedElementUtils.findMergedAnnotation(method, OnDelete.class);
		if (delete != null) {
			conditions.put(Type.DELETE, delete.condition());
		}
		return conditions.isEmpty() ? null : conditions;
	}

	private HandlerMethod handlerMethod(AnnotatedBean<InformerHandler> bean, Method method, Type type,
			String condition) {
		Signature signature = (method.getReturnType() == void.class) ? signature(bean, method, type) : null;
		if (signature == null) {
			throw notCallable(bean, method, annotationName(type));
		}
		return new HandlerMethod(invocable(bean, method), signature, condition(bean, method, type, condition));
	}

	private static InvalidHandlerException notCallable(AnnotatedBean<InformerHandler> bean, Method method,
			String annotation) {
		String problem = "which cannot be called as a @%s method".formatted(annotation);
		String later = AsyncMethods.later(method);
		if (later != null) {
			problem += ": " + later;
		}
		else if (method.getReturnType() != void.class) {
			problem += ": it has a return value, which would be ignored";
		}
		return InvalidHandlerException.ofMethod(bean, method, problem, ALLOWED, null);
	}

	private static @Nullable Signature signature(AnnotatedBean<InformerHandler> bean, Method method, Type type) {
		Class<?>[] types = method.getParameterTypes();
		if (types.length == 1 && types[0] == ResourceEvent.class) {
			return Signature.EVENT;
		}
		if (types.length == 1 && isObject(bean, method, 0)) {
			return Signature.OBJECT;
		}
		if (types.length == 2 && type == Type.UPDATE && isObject(bean, method, 0) && isObject(bean, method, 1)) {
			return Signature.BEFORE_AND_AFTER;
		}
		if (types.length == 2 && type == Type.DELETE && isObject(bean, method, 0)
				&& ClassUtils.resolvePrimitiveIfNecessary(types[1]) == Boolean.class) {
			return Signature.OBJECT_AND_FINAL_STATE_UNKNOWN;
		}
		return null;
	}

	private static boolean isObject(AnnotatedBean<InformerHandler> bean, Method method, int index) {
		return KubernetesObject.class.isAssignableFrom(bean.parameter(method, index).toClass());
	}

	private static List<ResolvableType> objectTypes(AnnotatedBean<InformerHandler> bean, Method method) {
		List<ResolvableType> types = new ArrayList<>();
		for (int i = 0; i < method.getParameterCount(); i++) {
			ResolvableType parameter = bean.parameter(method, i);
			ResolvableType named = (parameter.toClass() == ResourceEvent.class) ? parameter.getGeneric(0) : parameter;
			Class<?> type = named.resolve();
			if (type != null && KubernetesObject.class.isAssignableFrom(type)) {
				types.add(named);
			}
		}
		return types;
	}

	private Method invocable(AnnotatedBean<InformerHandler> bean, Method method) {
		try {
			return this.beanMethods.invocable(bean, method);
		}
		catch (IllegalStateException ex) {
			throw InvalidHandlerException.notInProxy(bean, method, ex);
		}
	}

	private @Nullable HandlerCondition condition(AnnotatedBean<InformerHandler> bean, Method method, Type type,
			String condition) {
		String resolved = this.values.expression(
				"@%s method '%s' of %s".formatted(annotationName(type), method.getName(), bean), "condition",
				condition);
		try {
			return (resolved != null) ? new HandlerCondition(resolved, this.beanFactory) : null;
		}
		catch (ExpressionException | IllegalStateException ex) {
			throw InvalidHandlerException.ofMethod(bean, method,
					"whose condition '%s' is not a SpEL expression over #event and #object: %s".formatted(resolved,
							(ex instanceof ExpressionException problem) ? problem.getSimpleMessage() : ex.getMessage()),
					"Correct the condition, such as \"#event.generationChanged()\" or "
							+ "\"#object.metadata.namespace == 'web'\".",
					ex);
		}
	}

	private static String annotationName(Type type) {
		return annotation(type).getSimpleName();
	}

	private static Class<? extends Annotation> annotation(Type type) {
		return switch (type) {
			case ADD -> OnAdd.class;
			case UPDATE -> OnUpdate.class;
			case DELETE -> OnDelete.class;
		};
	}

}
