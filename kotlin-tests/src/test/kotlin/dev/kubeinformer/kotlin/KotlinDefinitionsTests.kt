package dev.kubeinformer.kotlin

import com.google.gson.annotations.SerializedName
import dev.kubeinformer.definition.Description
import dev.kubeinformer.definition.PrinterColumn
import dev.kubeinformer.definitions.CustomResourceDefinitions
import dev.kubeinformer.definitions.InvalidDefinitionException
import dev.kubeinformer.resource.KubernetesResource
import io.kubernetes.client.common.KubernetesObject
import io.kubernetes.client.openapi.models.V1JSONSchemaProps
import io.kubernetes.client.openapi.models.V1ObjectMeta
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test

/**
 * Definitions of custom resources that are written in Kotlin.
 */
class KotlinDefinitionsTests {

	@Test
	fun `property that is not nullable is required, unless it has a default`() {
		val spec = spec(Shop::class.java)
		assertThat(spec.required).containsExactlyInAnyOrder("name", "phase", "address", "tags")
		assertThat(spec.properties!!.keys).containsExactlyInAnyOrder(
			"name", "owner", "replicas", "phase", "address", "tags", "limits", "mode", "port", "ports", "opening-hours", "note")
		assertThat(schema(Shop::class.java).required).containsExactly("spec")
	}

	@Test
	fun `defaults of parameters are those of the definition`() {
		val properties = spec(Shop::class.java).properties!!
		assertThat((properties["replicas"]!!.default as Number).toInt()).isEqualTo(3)
		assertThat(properties["mode"]!!.default).isEqualTo("FAST")
		assertThat(properties["opening-hours"]!!.default).isEqualTo("9-17")
		assertThat(properties["name"]!!.default).isNull()
		assertThat(properties["owner"]!!.default).isNull()
	}

	@Test
	fun `types of Kotlin have their schemas`() {
		val properties = spec(Shop::class.java).properties!!
		assertThat(properties["replicas"]!!.type).isEqualTo("integer")
		assertThat(properties["phase"]!!.`enum`).containsExactly("NEW", "DONE")
		assertThat(properties["address"]!!.required).containsExactly("city")
		assertThat(properties["address"]!!.properties!!["zip"]!!.type).isEqualTo("string")
		assertThat((properties["tags"]!!.items as V1JSONSchemaProps).type).isEqualTo("string")
		assertThat((properties["limits"]!!.additionalProperties as V1JSONSchemaProps).required).containsExactly("city")
	}

	@Test
	fun `annotations of properties are read`() {
		val properties = spec(Shop::class.java).properties!!
		assertThat(properties["name"]!!.description).isEqualTo("Name on the door")
		val columns = definition(Shop::class.java).spec.versions[0].additionalPrinterColumns!!
		assertThat(columns.map { it.name to it.jsonPath }).contains("Replicas" to ".spec.replicas")
	}

	@Test
	fun `value class is its value where Kotlin stores that alone`() {
		val properties = spec(Shop::class.java).properties!!
		assertThat(properties["port"]!!.type).isEqualTo("integer")
		// In a list it is an object.
		assertThat((properties["ports"]!!.items as V1JSONSchemaProps).properties!!["number"]!!.type).isEqualTo("integer")
	}

	@Test
	fun `recursive data class is refused by name`() {
		assertThatExceptionOfType(InvalidDefinitionException::class.java).isThrownBy { schema(Forest::class.java) }
			.withMessageContainingAll(Forest::class.java.name, "children")
	}

	private fun spec(type: Class<*>) = schema(type).properties!!["spec"]!!

	private fun schema(type: Class<*>) = definition(type).spec.versions[0].schema!!.openAPIV3Schema!!

	private fun definition(type: Class<*>) = CustomResourceDefinitions.of(type).all()[0]

	@KubernetesResource(group = "example.com", version = "v1", plural = "shops")
	data class Shop(
		private val apiVersion: String?,
		private val kind: String?,
		private val metadata: V1ObjectMeta?,
		val spec: ShopSpec,
		val status: ShopStatus? = null
	) : KubernetesObject {

		override fun getMetadata() = this.metadata

		override fun getApiVersion() = this.apiVersion

		override fun getKind() = this.kind

	}

	data class ShopSpec(
		@Description("Name on the door") val name: String,
		val owner: String?,
		@PrinterColumn(name = "Replicas") val replicas: Int = 3,
		val phase: Phase,
		val address: Address,
		val tags: List<String>,
		val limits: Map<String, Address>?,
		val mode: Mode = Mode.FAST,
		val port: Port = Port(80),
		val ports: List<Port>? = null,
		@SerializedName("opening-hours") val hours: String = "9-17",
	) {

		var note: String? = null

	}

	data class Address(val city: String, val zip: String?)

	data class ShopStatus(val ready: Boolean)

	@JvmInline
	value class Port(val number: Int)

	enum class Phase {

		NEW,

		@SerializedName("DONE")
		FINISHED

	}

	enum class Mode { FAST, SLOW }

	@KubernetesResource(group = "example.com", version = "v1", plural = "forests")
	data class Forest(private val metadata: V1ObjectMeta?, val spec: Tree) : KubernetesObject {

		override fun getMetadata() = this.metadata

		override fun getApiVersion() = "example.com/v1"

		override fun getKind() = "Forest"

	}

	data class Tree(val children: List<Tree>)

}
