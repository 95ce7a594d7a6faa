package dev.kubeinformer.kotlin.sample

import dev.kubeinformer.resource.KubernetesResource
import io.kubernetes.client.common.KubernetesObject
import io.kubernetes.client.openapi.models.V1ObjectMeta

/**
 * A custom resource whose objects are never changed.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "greetings")
data class Greeting(
	private val metadata: V1ObjectMeta,
	val spec: GreetingSpec,
	val status: GreetingStatus? = null,
	private val apiVersion: String = "example.com/v1",
	private val kind: String = "Greeting"
) : KubernetesObject {

	override fun getMetadata() = metadata

	override fun getApiVersion() = apiVersion

	override fun getKind() = kind

}

data class GreetingSpec(val name: String, val language: String = "en")

data class GreetingStatus(val text: String)
