package dev.kubeinformer.kotlin.sample

import dev.kubeinformer.controller.Reconciliation
import dev.kubeinformer.spring.annotation.InformerHandler
import dev.kubeinformer.spring.annotation.OnAdd
import dev.kubeinformer.spring.annotation.OnDelete
import dev.kubeinformer.spring.annotation.OnUpdate
import dev.kubeinformer.spring.annotation.Reconcile
import dev.kubeinformer.spring.annotation.Reconciler
import io.kubernetes.client.informer.cache.Lister
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.stereotype.Service
import java.util.concurrent.ConcurrentHashMap

/**
 * An application with a reconciler, a handler and a lister of a Kotlin class.
 */
@SpringBootApplication(proxyBeanMethods = false)
class GreetingApplication

@Reconciler
class GreetingReconciler {

	@Reconcile
	fun reconcile(greeting: Greeting, run: Reconciliation<Greeting>) {
		val hello = if (greeting.spec.language == "de") "Hallo" else "Hello"
		run.replaceStatus { it.copy(status = GreetingStatus("$hello ${it.spec.name}")) }
	}

}

@InformerHandler
class GreetingHandler {

	val texts = ConcurrentHashMap<String, String>()

	@OnAdd
	fun added(greeting: Greeting) = say(greeting)

	@OnUpdate
	fun updated(before: Greeting, after: Greeting) = say(after)

	@OnDelete
	fun deleted(greeting: Greeting) {
		texts.remove(greeting.spec.name)
	}

	private fun say(greeting: Greeting) {
		greeting.status?.let { texts[greeting.spec.name] = it.text }
	}

}

@Service
class GreetingReport(private val greetings: Lister<Greeting>) {

	fun languages() = greetings.list().map { it.spec.language }.toSet()

}
