package dev.kubeinformer.docs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.NotLeaderException;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the code of {@code docs/replicas.md} and {@code docs/leader-reference.md}
 * does what the pages say.
 */
@Tag("once")
@TestInstance(Lifecycle.PER_CLASS)
class ReplicasPageTests {

	private final RunningPage page;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	ReplicasPageTests() throws IOException {
		this.page = new RunningPage("docs/replicas.md");
	}

	@AfterEach
	void reset() {
		this.kubernetes.reset();
	}

	@AfterAll
	void close() throws IOException {
		this.kubernetes.close();
		this.page.close();
	}

	@Test
	void methodsOfTheLeaderShouldRunOnItOnly() {
		runner("NightlyReport").run((context) -> {
			Leadership leadership = context.getBean(Leadership.class);
			await().until(leadership::isLeader);
			call(context, "write");
			assertThat(this.<Integer>call(context, "rebuild")).isEqualTo(1);
			assertThat(sent(context)).containsExactly("report", "rebuilt");
			this.kubernetes.leader().revoke();
			await().until(() -> !leadership.isLeader());
			call(context, "write");
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> call(context, "rebuild"));
			assertThat(sent(context)).containsExactly("report", "rebuilt");
		});
	}

	@Test
	void scheduledMethodShouldRunOnTheLeader() {
		runner("NightlyReport").withUserConfiguration(Scheduling.class)
			.withPropertyValues("report.cron=* * * * * *")
			.run((context) -> await().until(() -> sent(context).contains("report")));
	}

	@Test
	void methodsShouldRunWhereThereIsNoElection() {
		runner("NightlyReport").withPropertyValues("kubernetes.leader.enabled=false").run((context) -> {
			assertThat(context.getBean(Leadership.class).isLeader()).isTrue();
			assertThat(this.<Integer>call(context, "rebuild")).isEqualTo(1);
		});
	}

	@Test
	void taskShouldRunWhileTheReplicaLeads() {
		runner("OrderFeed").withUserConfiguration(Orders.class).run((context) -> {
			BlockingQueue<String> orders = context.getBean(Orders.class).orders;
			orders.add("one");
			await().until(() -> sent(context).contains("one"));
			this.kubernetes.leader().revoke();
			await().until(() -> !context.getBean(Leadership.class).isLeader());
			this.kubernetes.leader().grant();
			orders.add("two");
			await().until(() -> sent(context).contains("two"));
		});
	}

	@Test
	void eventsShouldBePublished() {
		runner("LeaderLog").run((context) -> {
			List<String> lines = this.page.call(context, "LeaderLog", "lines");
			await().until(() -> lines.contains("granted"));
			this.kubernetes.leader().revoke();
			await().untilAsserted(() -> assertThat(lines).containsExactly("granted", "revoked: TAKEN"));
		});
	}

	@Test
	void electorShouldWorkWithoutSpring() throws Exception {
		this.kubernetes.resources(V1Namespace.class)
			.create(new V1Namespace().metadata(new V1ObjectMeta().name("shop")));
		this.kubernetes.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name("one")));
		AtomicInteger runs = new AtomicInteger();
		ReconcilerSpec<V1ConfigMap> spec = ReconcilerSpec.of("configs", V1ConfigMap.class, (object, run) -> {
			runs.incrementAndGet();
			return Result.done();
		});
		CountDownLatch stopped = new CountDownLatch(1);
		Thread application = new Thread(() -> runUntil(stopped, spec));
		application.start();
		await().until(() -> runs.get() > 0);
		assertThat(lease().getSpec().getHolderIdentity()).isNotEmpty();
		stopped.countDown();
		application.join();
		assertThat(lease().getSpec().getHolderIdentity()).isNullOrEmpty();
	}

	private void runUntil(CountDownLatch stopped, ReconcilerSpec<?> spec) {
		try (RunningPage reference = new RunningPage("docs/leader-reference.md")) {
			ApiClient client = new ClientBuilder().setBasePath(this.kubernetes.url()).build();
			reference.run("LeaderElector.of", Map.of("client", client, "spec", spec, "stopped", stopped));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private ApplicationContextRunner runner(String... types) {
		return this.page.runner(this.kubernetes, types)
			.withBean(this.page.type("Notices"))
			.withPropertyValues("spring.application.name=shop", "kubernetes.leader.enabled=true",
					"kubernetes.leader.lease.namespace=default");
	}

	private <T> T call(ApplicationContext context, String method) {
		return this.page.call(context, "NightlyReport", method);
	}

	private List<String> sent(ApplicationContext context) {
		return this.page.call(context, "Notices", "sent");
	}

	private V1Lease lease() {
		return this.kubernetes.resources(V1Lease.class).get("shop", "foos");
	}

	@Configuration(proxyBeanMethods = false)
	static class Orders {

		private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();

		@Bean
		BlockingQueue<String> orders() {
			return this.orders;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

}
