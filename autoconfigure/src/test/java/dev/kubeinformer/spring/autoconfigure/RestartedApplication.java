package dev.kubeinformer.spring.autoconfigure;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

import static org.awaitility.Awaitility.await;

/**
 * An application that ends when its handler and its lister have got the widget.
 */
public class RestartedApplication implements Runnable {

	private final int run;

	private final String url;

	public RestartedApplication(int run, String url) {
		this.run = run;
		this.url = url;
	}

	@Override
	public void run() {
		SpringApplication application = new SpringApplication(Configured.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setRegisterShutdownHook(false);
		try (ConfigurableApplicationContext context = application.run("--kubernetes.client.url=" + this.url,
				"--logging.register-shutdown-hook=false")) {
			WidgetHandler handler = context.getBean(WidgetHandler.class);
			await().until(() -> handler.last != null && !handler.widgets.list().isEmpty());
			Widget same = handler.widgets.list().get(0);
			System.out.printf("run %d: %s of %s%n", this.run, handler.last.getClass().getSimpleName(),
					same.getClass().getClassLoader().getName());
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class Configured {

		@Bean
		WidgetHandler widgetHandler(Lister<Widget> widgets) {
			return new WidgetHandler(widgets);
		}

	}

	@InformerHandler
	static class WidgetHandler {

		private final Lister<Widget> widgets;

		private volatile Widget last;

		WidgetHandler(Lister<Widget> widgets) {
			this.widgets = widgets;
		}

		@OnAdd(condition = "#object.metadata.name == 'w1'")
		void added(ResourceEvent<Widget> event) {
			this.last = event.object();
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	public static class Widget implements KubernetesObject {

		private String apiVersion = "example.com/v1";

		private String kind = "Widget";

		private V1ObjectMeta metadata;

		public Widget() {
		}

		Widget(String name) {
			this.metadata = new V1ObjectMeta().name(name).namespace("default");
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public String getKind() {
			return this.kind;
		}

	}

}
