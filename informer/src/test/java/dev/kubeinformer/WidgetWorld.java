package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.ObjectKey;

/**
 * API server with widgets, and reconcilers of them whose runs are recorded.
 */
final class WidgetWorld implements AutoCloseable {

	static final Duration LONG = Duration.ofSeconds(60);

	final EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	final ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);

	final ApiResources<Widget> widgets;

	final List<ReconcileRun> runs = new CopyOnWriteArrayList<>();

	final List<String> loops = new CopyOnWriteArrayList<>();

	Informers informers = EngineTestSupport.informers(this.api.url());

	WidgetWorld() {
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		this.widgets = this.api.resources(Widget.class, "example.com", "v1", "widgets");
	}

	ReconcilerSpec<Widget> spec(ReconcileFunction<Widget> function) {
		return ReconcilerSpec.of("widgets", Widget.class, function).withListener(new ReconcilerListener() {

			@Override
			public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
				WidgetWorld.this.runs.add(run);
			}

			@Override
			public void loopDetected(ReconcilerContainer reconciler, ObjectKey key, String resource, String path) {
				WidgetWorld.this.loops.add("%s %s %s".formatted(key, resource, path));
			}

		});
	}

	ReconcilerContainer start(ReconcileFunction<Widget> function) {
		return start(function, (spec) -> spec);
	}

	ReconcilerContainer start(ReconcileFunction<Widget> function, UnaryOperator<ReconcilerSpec<Widget>> settings) {
		ReconcilerContainer container = this.informers.controller(settings.apply(spec(function)));
		container.start();
		return container;
	}

	/**
	 * Begins anew as a process that was killed and started again.
	 */
	void restartProcess() {
		stopProcess();
		this.informers = EngineTestSupport.informers(this.api.url());
	}

	private void stopProcess() {
		this.informers.reconcilers().all().forEach(ReconcilerContainer::stop);
		this.informers.close();
	}

	Widget create(String name) {
		return this.widgets.create(Widget.of("web", name, 1));
	}

	/**
	 * Deletes a widget as a client does, so that finalizers are waited for.
	 */
	void delete(String name) {
		try {
			new CustomObjectsApi(EngineTestSupport.client(this.api.url()))
				.deleteNamespacedCustomObject("example.com", "v1", "web", "widgets", name)
				.execute();
		}
		catch (ApiException ex) {
			if (ex.getCode() != 404) {
				throw new IllegalStateException(ex);
			}
		}
	}

	Widget get(String name) {
		return this.widgets.get("web", name);
	}

	V1OwnerReference ownerReference(String name) {
		Widget widget = get(name);
		return new V1OwnerReference().apiVersion(widget.getApiVersion())
			.kind(widget.getKind())
			.name(name)
			.uid(widget.getMetadata().getUid())
			.controller(true);
	}

	List<RunOutcome> outcomes() {
		return this.runs.stream().map(ReconcileRun::outcome).toList();
	}

	List<RecordedRequest> writes() {
		return this.api.requests().stream().filter((request) -> !request.method().equals("GET")).toList();
	}

	static V1ConfigMap child(Widget widget) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name(widget.getMetadata().getName()))
			.data(Map.of("size", Integer.toString(widget.size())));
	}

	static ObjectKey key(String name) {
		return new ObjectKey("web", name);
	}

	@Override
	public void close() {
		stopProcess();
		this.api.close();
	}

}
