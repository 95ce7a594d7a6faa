package dev.kubeinformer.spring.inject;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.StringUtils;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.cluster.ClusterListers;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.ClusterSelection;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.ModelType;
import dev.kubeinformer.spring.settings.NamedResources;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Finds the informer for an injection point. The resource is determined by the generic
 * type of the point, and everything else by {@link InformerSource}.
 */
final class InjectedSource implements ClusterRuntimes.Listener, DisposableBean {

	private final InjectionPoints points;

	private final ClusterRuntimes clusters;

	private final ConfiguredSettings configured;

	private final AnnotationValues values;

	private final InjectedInformers injected;

	private final EarlyReads early;

	/** Injected {@link ClusterListers} that are still referenced. */
	private final Set<DefaultClusterListers<?>> several = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	InjectedSource(InjectionPoints points, ClusterRuntimes clusters, ConfiguredSettings configured,
			AnnotationValues values, InjectedInformers injected, EarlyReads early) {
		this.points = points;
		this.clusters = clusters;
		this.configured = configured;
		this.values = values;
		this.injected = injected;
		this.early = early;
		clusters.addListener(this);
	}

	/**
	 * Finds the lister for the current injection point.
	 * @param <T> the model class
	 * @param qualifier the cluster in the qualifier of the point; {@code null} if the
	 * point has no qualifier
	 * @return the lister; {@code null} if the point does not request a single object
	 */
	<T extends KubernetesObject> @Nullable Lister<T> lister(@Nullable String qualifier) {
		Informer<T> found = find(Lister.class, qualifier);
		return (found != null) ? found.lister() : null;
	}

	/**
	 * Finds the informer for the current injection point.
	 * @param <T> the model class
	 * @param qualifier the cluster in the qualifier of the point; {@code null} if the
	 * point has no qualifier
	 * @return the informer; {@code null} if the point does not request a single object
	 */
	<T extends KubernetesObject> @Nullable Informer<T> informer(@Nullable String qualifier) {
		return find(SharedInformer.class, qualifier);
	}

	@SuppressWarnings("unchecked") // T is the type argument of the injection point.
	private <T extends KubernetesObject> @Nullable Informer<T> find(Class<?> rawType, @Nullable String qualifier) {
		DependencyDescriptor point = asking(rawType);
		if (point == null) {
			return null;
		}
		ClusterRuntime cluster = cluster(point, rawType, qualifier).with(this.configured);
		return (Informer<T>) inject(point, rawType, model(point, rawType), cluster);
	}

	private @Nullable DependencyDescriptor asking(Class<?> rawType) {
		DependencyDescriptor point = this.points.asking(rawType);
		// If informers are disabled, an optional injection point stays empty. A required
		// one gets an empty cache, because otherwise the application could not start.
		return (point != null && (this.configured.isEnabled() || point.isRequired())) ? point : null;
	}

	private Informer<?> inject(DependencyDescriptor point, Class<?> rawType, ModelType model, ClusterRuntime cluster) {
		if (cluster.informers().isRunning()) {
			this.early.beforeLateInjection(cluster);
		}
		Informer<?> informer = resolve(point, rawType, model, cluster);
		this.injected.injected(point, rawType, informer);
		return view(cluster, informer, point);
	}

	private <T extends KubernetesObject> Informer<T> view(ClusterRuntime cluster, Informer<T> informer,
			DependencyDescriptor point) {
		if (!this.configured.isEnabled()) {
			return cluster.informers().view(informer, false);
		}
		FirstRead gate = new FirstRead(informer, describe(point), this.clusters.isStarted(informer), this.early);
		return cluster.informers().view(informer, true, gate);
	}

	private ClusterRuntime cluster(DependencyDescriptor point, Class<?> rawType, @Nullable String qualifier) {
		InformerSource source = source(point);
		String where = where(point);
		if (source == null || source.cluster().length == 0) {
			ClusterSelection named = new ClusterSelection(
					Set.of((qualifier != null) ? qualifier : InformerClusters.DEFAULT), false);
			return named.of(describe(point), this.clusters.all()).get(0);
		}
		ClusterSelection selection = ClusterSelection.read(this.values, where, source.cluster());
		String written = String.join(", ", source.cluster());
		if (selection.all() || selection.names().size() != 1) {
			throw new InformerConfigurationException(
					"%s names the clusters '%s', but a '%s' shows the objects of one cluster".formatted(where, written,
							rawType.getSimpleName()),
					"Name one cluster, or inject 'ClusterListers<T>', which has a lister for each: "
							+ "@InformerSource(cluster = \"*\") ClusterListers<V1Pod>.");
		}
		if (qualifier != null && !selection.names().contains(qualifier)) {
			throw new InformerConfigurationException(
					"%s names the cluster '%s', but its qualifier is '%s'".formatted(where, written, qualifier),
					"Remove one of them: @Qualifier(\"edge\") and @InformerSource(cluster = \"edge\") mean the same.");
		}
		return selection.of(where, this.clusters.all()).get(0);
	}

	/**
	 * Creates the listers of several clusters for the current injection point.
	 * @param <T> the model class
	 * @return the listers; {@code null} if the point does not request a single object
	 */
	<T extends KubernetesObject> @Nullable ClusterListers<T> several() {
		DependencyDescriptor point = asking(ClusterListers.class);
		return (point != null) ? several(point) : null;
	}

	@SuppressWarnings("unchecked") // T is the type argument of the injection point.
	private <T extends KubernetesObject> ClusterListers<T> several(DependencyDescriptor point) {
		ModelType model = model(point, ClusterListers.class);
		InformerSource source = source(point);
		ClusterSelection selection = (source == null || source.cluster().length == 0)
				? new ClusterSelection(Set.of(), true)
				: ClusterSelection.read(this.values, where(point), source.cluster());
		selection.of(where(point), this.clusters.all());
		DefaultClusterListers<T> listers = new DefaultClusterListers<>(
				() -> this.clusters.all().stream().filter(selection::contains),
				(cluster) -> (Informer<T>) inject(point, ClusterListers.class, model, cluster.with(this.configured)));
		this.several.add(listers);
		this.clusters.all().forEach(listers::prepare);
		return listers;
	}

	@Override
	public void added(ClusterRuntime cluster) {
		List.copyOf(this.several).forEach((listers) -> listers.prepare(cluster));
	}

	@Override
	public void removed(ClusterRuntime cluster) {
		List.copyOf(this.several).forEach((listers) -> listers.forget(cluster));
		this.injected.forget(cluster.name());
	}

	@Override
	public void destroy() {
		this.clusters.removeListener(this);
	}

	private static <T extends KubernetesObject> Informer<T> informer(ClusterRuntime cluster, InformerSpec<T> spec) {
		return cluster.informers().informer(spec);
	}

	private Informer<?> resolve(DependencyDescriptor point, Class<?> rawType, ModelType model, ClusterRuntime cluster) {
		InformerSettings settings = settings(point, rawType, model);
		return informer(cluster, cluster.specs().create(describe(point), resourceType(point, model), settings));
	}

	private ResourceType<? extends KubernetesObject> resourceType(DependencyDescriptor point, ModelType model) {
		InformerSource source = source(point);
		String resource = (source != null) ? this.values.text(where(point), "resource", source.resource()) : null;
		return NamedResources.find((source != null) ? where(point) : describe(point), model, resource);
	}

	private static ModelType model(DependencyDescriptor point, Class<?> rawType) {
		ModelType model = Injection.model(point.getResolvableType(), rawType);
		if (model == null) {
			throw new InformerConfigurationException(
					"%s has the type '%s', which does not determine the resource".formatted(describe(point),
							point.getResolvableType()),
					"Write the model class as type argument, such as 'Lister<V1Pod>' or 'Lister<Metadata<V1Pod>>'. "
							+ "If the class is known only at run time, use 'Informers'. "
							+ "A bean of your own is preferred only if its bean method declares the full generic type.");
		}
		return model;
	}

	private InformerSettings settings(DependencyDescriptor point, Class<?> rawType, ModelType model) {
		InformerSource source = source(point);
		if (source == null) {
			LostInformerSource.refuse(point, rawType, model);
			return InformerSettings.none();
		}
		return this.values.read(where(point), AnnotationUtils.getAnnotationAttributes(source), Setting.SELECTION);
	}

	private static @Nullable InformerSource source(DependencyDescriptor point) {
		MergedAnnotation<InformerSource> annotation = MergedAnnotations.from(point.getAnnotations())
			.get(InformerSource.class);
		return annotation.isPresent() ? annotation.synthesize() : null;
	}

	private static String where(DependencyDescriptor point) {
		return "@InformerSource on " + StringUtils.uncapitalize(describe(point));
	}

	static String describe(DependencyDescriptor point) {
		String owner = point.getMember().getDeclaringClass().getName();
		MethodParameter parameter = point.getMethodParameter();
		if (parameter == null) {
			return "Field '%s' of '%s'".formatted(point.getMember().getName(), owner);
		}
		return (parameter.getMethod() != null)
				? "Parameter %d of method '%s' of '%s'".formatted(parameter.getParameterIndex(),
						point.getMember().getName(), owner)
				: "Parameter %d of the constructor of '%s'".formatted(parameter.getParameterIndex(), owner);
	}

}
