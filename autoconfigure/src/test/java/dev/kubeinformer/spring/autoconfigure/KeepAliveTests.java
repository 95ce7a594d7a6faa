package dev.kubeinformer.spring.autoconfigure;

import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application without a web server lives as long as it should.
 */
class KeepAliveTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void applicationWithoutWebServerShouldStayUpAndEndInOrder() throws Exception {
		// Where Java has virtual threads, they are daemons.
		try (ForkedApplication application = ForkedApplication.start(List.of(), Application.class,
				"--kubernetes.client.url=" + this.kubernetes.url(), "--spring.threads.virtual.enabled=true")) {
			application.awaitLine("main has ended");
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			application.awaitLine("begin one");
			assertThat(application.terminate()).isEqualTo(143);
			assertThat(application.output()).contains("end one");
		}
	}

	/**
	 * An application of one handler.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	public static class Application {

		public static void main(String[] args) {
			SpringApplication application = new SpringApplication(Application.class);
			application.setWebApplicationType(WebApplicationType.NONE);
			application.run(args);
			System.out.println("main has ended");
		}

		@Bean
		SlowHandler slowHandler() {
			return new SlowHandler();
		}

		@EventListener
		void ending(ContextClosedEvent event) {
			SlowHandler.ending.countDown();
		}

	}

	@InformerHandler
	static class SlowHandler {

		private static final CountDownLatch ending = new CountDownLatch(1);

		@OnAdd
		void added(V1Pod pod) throws InterruptedException {
			System.out.println("begin " + pod.getMetadata().getName());
			// Busy when the signal comes.
			ending.await();
			System.out.println("end " + pod.getMetadata().getName());
		}

	}

}
