package dev.kubeinformer.spring.leader;

import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.LeaderOnly;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/**
 * Tests of a mock that takes the place of the leadership.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "kubernetes.informers.auto-startup=false", "kubernetes.leader.enabled=true" })
class MockitoBeanLeadershipTests {

	@MockitoBean
	private Leadership leadership;

	@Autowired
	private Work work;

	@Autowired
	private InformerHandlerRegistry handlers;

	@Test
	void mockShouldDecide() {
		this.work.run();
		assertThat(this.work.runs()).isZero();
		given(this.leadership.isLeader()).willReturn(true);
		this.work.run();
		assertThat(this.work.runs()).isOne();
		assertThat(this.handlers.get("podHandler").isStandby()).isTrue();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import({ Work.class, PodHandler.class })
	static class Application {

	}

	static class Work {

		private final AtomicInteger runs = new AtomicInteger();

		@LeaderOnly
		void run() {
			this.runs.incrementAndGet();
		}

		int runs() {
			return this.runs.get();
		}

	}

	@InformerHandler(id = "podHandler", leaderOnly = "true")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
