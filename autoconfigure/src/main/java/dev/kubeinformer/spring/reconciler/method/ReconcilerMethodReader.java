package dev.kubeinformer.spring.reconciler.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

import dev.kubeinformer.controller.ReconcileRequest;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.BeanMethods;
import dev.kubeinformer.spring.bean.ComposedAnnotations;
import dev.kubeinformer.spring.bean.NamedModelClass;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Reads the annotated methods of a reconciler: checks their signatures and finds the
 * model classes in their parameters.
 */
public final class ReconcilerMethodReader {

	private final BeanMethods methods;

	private final RunMethodReader runMethods;

	private final MapMethodReader mapMethods;

	public ReconcilerMethodReader(BeanMethods methods) {
		this.methods = methods;
		this.runMethods = new RunMethodReader(methods);
		this.mapMethods = new MapMethodReader(methods);
	}

	/**
	 * Reads the methods of a bean.
	 * @param bean the bean
	 * @return the methods
	 * @throws InvalidReconcilerException if they do not form a valid reconciler
	 */
	public ReconcilerMethods read(AnnotatedBean<Reconciler> bean) {
		Map.Entry<Method, Reconcile> reconcile = one(bean, Reconcile.class);
		if (reconcile == null) {
			throw new InvalidReconcilerException(bean, "has no @Reconcile method",
					"Annotate the method with @Reconcile that takes an object and makes the cluster what it asks for."
							+ this.methods.adviceIfHidden(bean));
		}
		Map.Entry<Method, OnCleanup> cleanup = one(bean, OnCleanup.class);
		RunMethodReader.Parameters parameters = new RunMethodReader.Parameters(new LinkedHashSet<>(),
				new ArrayList<>());
		RunMethod run = this.runMethods.read(bean, reconcile.getKey(), parameters);
		RunMethod cleaning = (cleanup != null) ? this.runMethods.read(bean, cleanup.getKey(), parameters) : null;
		parameters.owned().addAll(ownedByType(bean));
		return new ReconcilerMethods(objectClass(bean, reconcile.getKey(), parameters.primaries()), run,
				reconcile.getValue(), cleaning, (cleanup != null) ? cleanup.getValue() : null, mapMethods(bean),
				parameters.owned());
	}

	private static <A extends Annotation> Map.@Nullable Entry<Method, A> one(AnnotatedBean<Reconciler> bean,
			Class<A> annotation) {
		Map<Method, A> methods = select(bean, annotation);
		if (methods.size() > 1) {
			List<String> texts = methods.keySet()
				.stream()
				.map((method) -> "'%s'".formatted(BeanMethods.describe(bean, method)))
				.sorted()
				.toList();
			throw new InvalidReconcilerException(bean,
					"has %d @%s methods: %s".formatted(texts.size(), annotation.getSimpleName(),
							String.join(" and ", texts)),
					"Keep one @%s method; it may call others.".formatted(annotation.getSimpleName()));
		}
		methods.keySet().forEach((method) -> refuseDivided(bean, method, annotation));
		return methods.isEmpty() ? null : methods.entrySet().iterator().next();
	}

	private static <A extends Annotation> Map<Method, A> select(AnnotatedBean<Reconciler> bean, Class<A> annotation) {
		return MethodIntrospector.selectMethods(bean.type(),
				(MethodIntrospector.MetadataLookup<@Nullable A>) (method) -> AnnotatedElementUtils
					.findMergedAnnotation(method, annotation));
	}

	private List<MapMethod> mapMethods(AnnotatedBean<Reconciler> bean) {
		List<MapMethod> methods = new ArrayList<>();
		select(bean, Watches.class).forEach((method, annotation) -> {
			refuseDivided(bean, method, Watches.class);
			methods.add(this.mapMethods.read(bean, method, annotation));
		});
		return methods;
	}

	private static void refuseDivided(AnnotatedBean<Reconciler> bean, Method method,
			Class<? extends Annotation> annotation) {
		String divided = ComposedAnnotations.divided(method, annotation);
		if (divided != null) {
			throw InvalidReconcilerException.ofMethod(bean, method, divided, ComposedAnnotations.KEEP_ONE);
		}
	}

	private static List<OwnedDeclaration> ownedByType(AnnotatedBean<Reconciler> bean) {
		List<OwnedDeclaration> owned = new ArrayList<>();
		for (Owns annotation : AnnotatedElementUtils.findMergedRepeatableAnnotations(bean.type(), Owns.class)) {
			if (annotation.value() == KubernetesObject.class) {
				throw new InvalidReconcilerException(bean, "has @Owns without a model class on its class",
						"Name the class of the owned objects, such as @Owns(V1Deployment.class).");
			}
			if (annotation.value() == Metadata.class) {
				throw new InvalidReconcilerException(bean, "has @Owns(Metadata.class) on its class",
						"Name the class of the objects, and say that their metadata is enough: "
								+ "@Owns(value = V1Deployment.class, metadataOnly = true).");
			}
			owned.add(new OwnedDeclaration(new ModelType(annotation.value(), annotation.metadataOnly()), annotation,
					"@Owns on the class of " + bean));
		}
		return owned;
	}

	private static Class<? extends KubernetesObject> objectClass(AnnotatedBean<Reconciler> bean, Method reconcile,
			Set<Class<?>> named) {
		Set<Class<?>> types = new LinkedHashSet<>(named);
		try {
			Class<? extends KubernetesObject> objectClass = NamedModelClass.of(bean.annotation().value(), types);
			if (objectClass == Metadata.class) {
				throw new InvalidReconcilerException(bean, "reconciles only the metadata of objects",
						"Take the whole objects as primaries, since their status is written. Owned and watched objects can be "
								+ "metadata: Owned<Metadata<C>>, and Metadata<C> in @Watches methods.");
			}
			if (objectClass != null) {
				return objectClass;
			}
		}
		catch (NamedModelClass.DifferentClassesException ex) {
			List<String> names = ex.getClasses()
				.stream()
				.map((type) -> "'%s'".formatted(type.getName()))
				.sorted()
				.toList();
			throw new InvalidReconcilerException(bean,
					"reconciles objects of more than one type: " + String.join(" and ", names),
					"Write one @Reconciler for each type, and take what its objects own by Owned<C>.", ex);
		}
		String problem = "which names no primary resource";
		for (Class<?> type : reconcile.getParameterTypes()) {
			if (type == ReconcileRequest.class) {
				problem = "whose parameter 'ReconcileRequest' has no type argument";
			}
		}
		throw InvalidReconcilerException.ofMethod(bean, reconcile, problem,
				"Name the model class, such as ReconcileRequest<V1Pod>, a parameter of type V1Pod, or @Reconciler(V1Pod.class).");
	}

}
