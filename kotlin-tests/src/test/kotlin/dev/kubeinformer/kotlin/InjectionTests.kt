package dev.kubeinformer.kotlin

import dev.kubeinformer.Informers
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration
import dev.kubeinformer.test.EmbeddedKubernetes
import dev.kubeinformer.test.Requests
import io.kubernetes.client.informer.SharedIndexInformer
import io.kubernetes.client.informer.cache.Cache
import io.kubernetes.client.informer.cache.Lister
import io.kubernetes.client.openapi.models.V1Namespace
import io.kubernetes.client.openapi.models.V1ObjectMeta
import io.kubernetes.client.openapi.models.V1Service
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Lazy
import java.time.Duration

/**
 * Tests of injection into Kotlin classes, whose collections have wildcards and whose
 * nullable types are optional.
 */
class InjectionTests {

	private val runner = ApplicationContextRunner()
		.withConfiguration(
			AutoConfigurations.of(KubernetesClientAutoConfiguration::class.java, InformerAutoConfiguration::class.java)
		)
		.withPropertyValues("KUBECONFIG=", "HOME=/nonexistent", "KUBERNETES_SERVICE_HOST=")

	@Test
	fun `collections of a library are injected whole`() {
		runner.withPropertyValues("kubernetes.informers.auto-startup=false")
			.withUserConfiguration(Library::class.java)
			.withBean(Discovery::class.java)
			.run { context ->
				val discovery = context.getBean(Discovery::class.java)
				assertThat(discovery.services).isSameAs(context.getBean("listers"))
				assertThat(discovery.byName).isSameAs(context.getBean("informersByName"))
				assertThat(context.getBean(Informers::class.java).all()).isEmpty()
			}
	}

	@Test
	fun `nullable point is null while informers are off`() {
		runner.withPropertyValues("kubernetes.informers.enabled=false").withBean(Optional::class.java).run { context ->
			assertThat(context.getBean(Optional::class.java).services).isNull()
		}
		runner.withPropertyValues("kubernetes.informers.auto-startup=false").withBean(Optional::class.java).run { context ->
			assertThat(context.getBean(Optional::class.java).services).isNotNull()
		}
	}

	@Test
	fun `late lister waits for its cache`() {
		EmbeddedKubernetes.start().use { kubernetes ->
			kubernetes.resources(V1Namespace::class.java).create(V1Namespace().metadata(V1ObjectMeta().name("shop")))
			kubernetes.faults().on(Requests.of("namespaces")).times(1).delay(Duration.ofMillis(300))
			runner.withPropertyValues("kubernetes.client.url=" + kubernetes.url())
				.withBean(Late::class.java)
				.run { context ->
					val names = context.getBean(Late::class.java).namespaces.list().map { it.metadata.name }
					assertThat(names).contains("shop")
				}
		}
	}

	@Configuration(proxyBeanMethods = false)
	class Library {

		@Bean
		fun listers(): List<Lister<V1Service>> = listOf(Lister(Cache()))

		@Bean
		fun informersByName(): Map<String, SharedIndexInformer<V1Service>> = emptyMap()

	}

	class Discovery(
		val services: List<Lister<V1Service>>,
		val byName: Map<String, SharedIndexInformer<V1Service>>
	)

	class Optional(val services: Lister<V1Service>?)

	@Lazy
	class Late(val namespaces: Lister<V1Namespace>)

}
