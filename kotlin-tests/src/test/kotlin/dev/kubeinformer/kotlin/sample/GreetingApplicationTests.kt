package dev.kubeinformer.kotlin.sample

import dev.kubeinformer.controller.ReconcilerRegistry
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest
import dev.kubeinformer.test.EmbeddedKubernetes
import io.kubernetes.client.openapi.models.V1ObjectMeta
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import java.time.Duration

/**
 * Tests of an application in Kotlin, over real HTTP.
 */
@SpringBootTest
@EmbeddedKubernetesTest
class GreetingApplicationTests(
	@Autowired private val kubernetes: EmbeddedKubernetes,
	@Autowired private val reconcilers: ReconcilerRegistry,
	@Autowired private val handler: GreetingHandler,
	@Autowired private val report: GreetingReport
) {

	@Test
	fun `status of each greeting is written and seen by the handler`() {
		val greetings = kubernetes.resources(Greeting::class.java)
		greetings.create(greeting("ann", GreetingSpec("Ann", "de")))
		greetings.create(greeting("bob", GreetingSpec("Bob")))
		await().untilAsserted { assertThat(handler.texts).containsValues("Hallo Ann", "Hello Bob") }
		assertThat(reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue()
		assertThat(greetings.get("default", "ann")?.status).isEqualTo(GreetingStatus("Hallo Ann"))
		assertThat(report.languages()).containsExactlyInAnyOrder("de", "en")
		greetings.delete("default", "ann")
		await().untilAsserted { assertThat(handler.texts).containsOnlyKeys("Bob") }
	}

	private fun greeting(name: String, spec: GreetingSpec) =
		Greeting(V1ObjectMeta().namespace("default").name(name), spec)

}
