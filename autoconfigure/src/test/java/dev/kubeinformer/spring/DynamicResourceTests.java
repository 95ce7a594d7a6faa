package dev.kubeinformer.spring;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpoint;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpointAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.health.InformerHealthContributorAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers and listers of resources without a class.
 */
class DynamicResourceTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void objectsShouldBeHandledAndListedByTheNameOfTheirResource() {
		serve("widgets", "Widget");
		create("widgets", "Widget", "web", "one");
		this.runner.withPropertyValues("widgets=widgets.v1.example.com")
			.withBean("widgetHandler", WidgetHandler.class)
			.run((context) -> {
				WidgetHandler handler = context.getBean(WidgetHandler.class);
				await().until(() -> handler.calls().contains("ADD one of 1"));
				create("widgets", "Widget", "web", "two");
				await().until(() -> handler.calls().contains("ADD two of 2"));
				this.kubernetes.resources(Thing.class, "example.com", "v1", "widgets").delete("web", "one");
				await().until(() -> handler.calls().contains("DELETE one"));
				assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
					.containsExactly("widgets.v1.example.com");
			});
	}

	@Test
	void settingsOfHandlerAndResourceShouldCount() {
		serve("widgets", "Widget");
		create("widgets", "Widget", "web", "in");
		create("widgets", "Widget", "other", "out");
		this.runner
			.withPropertyValues("kubernetes.informers.handlers.things.namespaces=web",
					"kubernetes.informers.resources.[widgets.example.com].resync=7m")
			.withBean("things", Things.class)
			.run((context) -> {
				Things handler = context.getBean(Things.class);
				await().until(() -> handler.calls().contains("+in"));
				assertThat(handler.calls()).containsExactly("+in");
				assertThat(context.getBean(InformerHandlerRegistry.class).get("things").options().resync())
					.hasMinutes(7);
			});
	}

	@Test
	void resourcesOfOneClassShouldBeKeptApart() {
		serve("widgets", "Widget");
		serve("gears", "Gear");
		create("widgets", "Widget", "web", "widget");
		create("gears", "Gear", "web", "gear");
		this.runner.withBean(TwoListers.class).run((context) -> {
			TwoListers listers = context.getBean(TwoListers.class);
			await().until(() -> listers.widgets.list().size() == 1 && listers.gears.list().size() == 1);
			assertThat(listers.widgets.list().get(0).getKind()).isEqualTo("Widget");
			assertThat(listers.gears.list().get(0).getKind()).isEqualTo("Gear");
		});
	}

	@Test
	void endpointAndRbacShouldNameTheResource() {
		serve("widgets", "Widget");
		this.runner.withConfiguration(AutoConfigurations.of(InformersEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*")
			.withBean("things", Things.class)
			.run((context) -> {
				InformersEndpoint endpoint = context.getBean(InformersEndpoint.class);
				assertThat(endpoint.informers().toString()).contains("widgets.v1.example.com", "things");
				assertThat(endpoint.informer("rbac", null).toString()).contains("- widgets", "- example.com");
			});
	}

	@Test
	void endpointAndHealthShouldSayWhatIsMeant() {
		serve("widgets", "Widget");
		this.runner
			.withConfiguration(AutoConfigurations.of(InformersEndpointAutoConfiguration.class,
					InformerHealthContributorAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*", "widgets=widget.v1.example.com")
			.withBean("widgetHandler", WidgetHandler.class)
			.run((context) -> {
				InformersEndpoint endpoint = context.getBean(InformersEndpoint.class);
				await().until(() -> endpoint.informers().toString().contains("did you mean 'widgets'?"));
				CompositeHealthContributor health = context.getBean("informersHealthContributor",
						CompositeHealthContributor.class);
				HealthIndicator handler = (HealthIndicator) health.getContributor("widgetHandler");
				assertThat(handler.health().getDetails().toString()).contains("state=NOT_FOUND",
						"advice='example.com/v1' has no resource 'widget'; did you mean 'widgets'?");
			});
	}

	@Test
	void missingNameShouldBeAskedFor() {
		this.runner.withBean(Unnamed.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("does not name the resource of these objects"));
		this.runner.withBean(UnnamedLister.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"Parameter 0 of the constructor of '%s'".formatted(UnnamedLister.class.getName()))
				.hasStackTraceContaining("does not name the resource of these objects"));
	}

	@Test
	void nameThatIsNoneOrNotForTheClassShouldBeRefused() {
		this.runner.withBean(Misnamed.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("'widgets.example.com' is not a resource name of plural, version and group"));
		this.runner.withBean(NamedTwice.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"names the resource 'pods.v1.' and is for '%s'".formatted(V1Pod.class.getName())));
	}

	@Test
	void reconcilerShouldSayThatItNeedsAClass() {
		this.runner.withBean(DynamicReconciler.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("DynamicKubernetesObject"));
	}

	private void serve(String plural, String kind) {
		this.kubernetes.serve("example.com", "v1", plural, kind, true);
	}

	private void create(String plural, String kind, String namespace, String name) {
		Thing thing = new Thing();
		thing.apiVersion = "example.com/v1";
		thing.kind = kind;
		thing.metadata = new V1ObjectMeta().namespace(namespace).name(name);
		this.kubernetes.resources(Thing.class, "example.com", "v1", plural).create(thing);
	}

	static class Thing extends CustomObject {

	}

	@InformerHandler(resource = "${widgets}")
	static class WidgetHandler extends RecordingHandler {

		private final Lister<DynamicKubernetesObject> widgets;

		WidgetHandler(@InformerSource(resource = "${widgets}") Lister<DynamicKubernetesObject> widgets) {
			this.widgets = widgets;
		}

		@OnAdd
		void added(DynamicKubernetesObject widget) {
			record("ADD %s of %d".formatted(widget.getMetadata().getName(), this.widgets.list().size()));
		}

		@OnUpdate
		void changed(DynamicKubernetesObject before, DynamicKubernetesObject after) {
			record("UPDATE", after);
		}

		@OnDelete
		void removed(DynamicKubernetesObject widget) {
			record("DELETE", widget);
		}

	}

	@InformerHandler(resource = "widgets.v1.example.com")
	static class Things extends RecordingHandler implements ResourceEventHandler<DynamicKubernetesObject> {

		@Override
		public void onAdd(DynamicKubernetesObject object) {
			record("+" + object.getMetadata().getName());
		}

		@Override
		public void onUpdate(DynamicKubernetesObject before, DynamicKubernetesObject after) {
			record("~" + after.getMetadata().getName());
		}

		@Override
		public void onDelete(DynamicKubernetesObject object, boolean finalStateUnknown) {
			record("-" + object.getMetadata().getName());
		}

	}

	record TwoListers(@InformerSource(resource = "widgets.v1.example.com") Lister<DynamicKubernetesObject> widgets,
			@InformerSource(resource = "gears.v1.example.com") Lister<DynamicKubernetesObject> gears) {

	}

	@InformerHandler
	static class Unnamed {

		@OnAdd
		void added(DynamicKubernetesObject object) {
		}

	}

	record UnnamedLister(Lister<DynamicKubernetesObject> objects) {

	}

	@InformerHandler(resource = "widgets.example.com")
	static class Misnamed extends Unnamed {

	}

	@InformerHandler(resource = "pods.v1.")
	static class NamedTwice {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Reconciler
	static class DynamicReconciler {

		@Reconcile
		Result reconcile(DynamicKubernetesObject object) {
			return Result.done();
		}

	}

}
