package dev.kubeinformer.spring;

import java.util.List;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of custom resources: classes of the application with {@link KubernetesResource}.
 */
class CustomResourceTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void customResourcesShouldBeHandledAndListed() {
		ApiResources<Widget> widgets = widgets();
		widgets.create(widget("one", Size.LARGE));
		this.runner.withBean("widgetHandler", WidgetHandler.class).withBean(WidgetReader.class).run((context) -> {
			WidgetHandler handler = context.getBean(WidgetHandler.class);
			await().until(() -> handler.calls().contains("ADD one"));
			widgets.edit("web", "one", (widget) -> widget.spec.size = Size.SMALL);
			await().until(() -> handler.calls().contains("UPDATE one"));
			assertThat(context.getBean(WidgetReader.class).widgets.namespace("web").get("one").spec.size)
				.isEqualTo(Size.SMALL);
			widgets.delete("web", "one");
			await().until(() -> handler.calls().contains("DELETE one"));
			assertThat(handler.calls()).containsExactly("ADD one", "UPDATE one", "DELETE one");
			assertThat(context.getBean(Informers.class).all()).singleElement()
				.satisfies((informer) -> assertThat(informer.id()).isEqualTo("widgets.example.com"));
		});
	}

	@Test
	void cachedObjectShouldBeWhatTheOfficialClientReads() {
		widgets().create(widget("one", Size.LARGE));
		this.runner.withBean(WidgetReader.class).run((context) -> {
			Lister<Widget> widgets = context.getBean(WidgetReader.class).widgets;
			await().until(() -> widgets.list().size() == 1);
			Widget cached = widgets.list().get(0);
			String json = JSON.serialize(cached);
			assertThat(json).contains("\"size\":\"BIG\"", "\"spec-of-it\":", "\"apiVersion\":\"example.com/v1\"")
				.doesNotContain("ignored");
			Widget read = JSON.deserialize(json, Widget.class);
			assertThat(read).usingRecursiveComparison().isEqualTo(cached);
			assertThat(JSON.serialize(read)).isEqualTo(json);
			assertThat(cached.ignored).isEqualTo("default");
			assertThat(cached.spec.any).isEqualTo(Map.of("n", 1.0, "l", List.of(true, "a")));
		});
	}

	@Test
	void clusterScopedResourceOfAnotherKindShouldBeRead() {
		this.kubernetes.serve("example.com", "v1beta1", "places", "Location", false);
		ApiResources<Place> places = this.kubernetes.resources(Place.class, "example.com", "v1beta1", "places");
		Place place = new Place();
		place.apiVersion = "example.com/v1beta1";
		place.kind = "Location";
		place.metadata = new V1ObjectMeta().name("here");
		places.create(place);
		this.runner.withBean(PlaceReader.class)
			.withPropertyValues("kubernetes.informers.namespaces=web")
			.run((context) -> {
				Lister<Place> lister = context.getBean(PlaceReader.class).places;
				await().until(() -> lister.list().size() == 1);
				assertThat(lister.get("here").getKind()).isEqualTo("Location");
			});
		assertThat(this.kubernetes.requests())
			.allMatch((request) -> request.path().equals("/apis/example.com/v1beta1/places"));
	}

	private ApiResources<Widget> widgets() {
		this.kubernetes.serve("example.com", "v1", "widgets", "Widget", true);
		return this.kubernetes.resources(Widget.class, "example.com", "v1", "widgets");
	}

	private static Widget widget(String name, Size size) {
		Widget widget = new Widget();
		widget.apiVersion = "example.com/v1";
		widget.kind = "Widget";
		widget.metadata = new V1ObjectMeta().namespace("web").name(name).putLabelsItem("app", "a");
		widget.spec = new WidgetSpec();
		widget.spec.size = size;
		widget.spec.tags = List.of("a", "b");
		widget.spec.any = Map.of("n", 1, "l", List.of(true, "a"));
		return widget;
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	static class Widget extends CustomObject {

		@SerializedName("spec-of-it")
		WidgetSpec spec;

		transient String ignored = "default";

	}

	static class WidgetSpec {

		Size size;

		List<String> tags;

		Object any;

	}

	enum Size {

		@SerializedName("BIG")
		LARGE, SMALL

	}

	@KubernetesResource(group = "example.com", version = "v1beta1", plural = "places", kind = "Location",
			namespaced = false)
	static class Place extends CustomObject {

	}

	@InformerHandler
	static class WidgetHandler extends RecordingHandler {

		@OnAdd
		@OnUpdate
		@OnDelete
		void handle(ResourceEvent<Widget> event) {
			record(event);
		}

	}

	static class WidgetReader {

		private final Lister<Widget> widgets;

		WidgetReader(Lister<Widget> widgets) {
			this.widgets = widgets;
		}

	}

	static class PlaceReader {

		private final Lister<Place> places;

		PlaceReader(Lister<Place> places) {
			this.places = places;
		}

	}

}
