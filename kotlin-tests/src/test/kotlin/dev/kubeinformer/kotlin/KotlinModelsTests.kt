package dev.kubeinformer.kotlin

import com.google.gson.annotations.SerializedName
import dev.kubeinformer.InformerSpec
import dev.kubeinformer.Informers
import dev.kubeinformer.internal.codec.DecodedObject
import dev.kubeinformer.internal.codec.json.JsonCodec
import dev.kubeinformer.internal.codec.json.JsonMappers
import dev.kubeinformer.resource.KubernetesResource
import dev.kubeinformer.resource.ResourceType
import dev.kubeinformer.resource.UnreadableClassException
import dev.kubeinformer.test.EmbeddedKubernetes
import io.kubernetes.client.common.KubernetesObject
import io.kubernetes.client.openapi.JSON
import io.kubernetes.client.openapi.models.V1ObjectMeta
import io.kubernetes.client.util.Config
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import java.time.Duration

/**
 * Custom resources as they are written in Kotlin: their fields are final, most have no
 * constructor without parameters, and the compiler leaves out the names of parameters.
 */
class KotlinModelsTests {

	private val metadata = "\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", \"metadata\": {\"name\": \"w\"}"

	@Test
	fun `data class is read as by the official client`() {
		val json = """{$metadata, "spec": {"name": "n", "owner": "o", "size": 7, "tags": ["a", "b"],
			"limits": {"cpu": {"name": "c", "owner": "p", "size": 1, "tags": []}}, "phase": "DONE"}, "state": {"ready": true}, "note": "x"}"""
		val widget = read(Widget::class.java, json)
		assertThat(widget).isEqualTo(JSON.deserialize(json, Widget::class.java))
		assertThat(widget.spec.name).isEqualTo("n")
		assertThat(widget.spec.owner).isEqualTo("o")
		assertThat(widget.spec.tags).containsExactly("a", "b")
		assertThat(widget.spec.limits?.get("cpu")?.owner).isEqualTo("p")
		assertThat(widget.spec.phase).isEqualTo(Phase.FINISHED)
		assertThat(widget.status?.ready).isTrue()
		assertThat(widget.note).isEqualTo("x")
	}

	@Test
	fun `what is missing is null or zero as by the official client`() {
		val json = "{$metadata, \"spec\": {\"name\": \"n\", \"unknown\": 1}}"
		val widget = read(Widget::class.java, json)
		val official = JSON.deserialize<Widget>(json, Widget::class.java)
		assertThat(widget.status).isNull()
		assertThat(widget.spec.size).isZero().isEqualTo(official.spec.size)
		// Its type does not allow null, but Gson does not know that.
		assertThat(widget.spec.tags as List<*>?).isNull()
		assertThat(official.spec.tags as List<*>?).isNull()
		assertThat(read(Widget::class.java, "{$metadata}").spec as Any?).isNull()
	}

	@Test
	fun `what is missing keeps the default if all parameters have one`() {
		val options = read(OptionsHolder::class.java, "{$metadata, \"options\": {\"size\": 5}}").options
		assertThat(options).isEqualTo(Options(5, listOf("default"), "fast"))
		val explicit = read(OptionsHolder::class.java, "{$metadata, \"options\": {\"tags\": [], \"mode\": null}}")
		assertThat(explicit.options).isEqualTo(Options(3, listOf(), null))
		assertThat(explicit.title).isEqualTo("size 3")
	}

	@Test
	fun `class whose parameters have no order that is known is read by its fields`() {
		val place = read(Place::class.java, "{$metadata, \"city\": \"c\", \"zone\": \"z\"}")
		assertThat(place.zone).isEqualTo("z")
		assertThat(place.city).isEqualTo("c")
	}

	@Test
	fun `copy is another object with collections that can be changed`() {
		val widget = read(Widget::class.java, "{$metadata, \"spec\": {\"name\": \"n\", \"owner\": \"o\", \"size\": 7, \"tags\": [\"a\"]}}")
		val copy = Informers.copyOf(widget)
		assertThat(copy).isEqualTo(widget).isNotSameAs(widget)
		@Suppress("UNCHECKED_CAST")
		(copy.spec.tags as MutableList<String>).add("b")
		assertThat(widget.spec.tags).containsExactly("a")
		assertThatExceptionOfType(UnsupportedOperationException::class.java).isThrownBy {
			@Suppress("UNCHECKED_CAST")
			(widget.spec.tags as MutableList<String>).add("b")
		}.withMessageContaining("Informers.copyOf")
	}

	@Test
	fun `class that cannot be read fails by name`() {
		assertThatExceptionOfType(UnreadableClassException::class.java).isThrownBy { InformerSpec.of(Sealed::class.java) }
			.withMessageContainingAll(Sealed::class.java.name, "'shape'", Shape::class.java.name, "@JsonAdapter")
	}

	@Test
	fun `cache holds what the server has`() {
		EmbeddedKubernetes.start().use { kubernetes ->
			kubernetes.serve("example.com", "v1", "widgets", "Widget", true)
			val spec = WidgetSpec("n", "o", 7, listOf("a"), null, Phase.FINISHED)
			kubernetes.resources(Widget::class.java, "example.com", "v1", "widgets").create(
				Widget("example.com/v1", "Widget", V1ObjectMeta().namespace("blog").name("w"), spec, null))
			Informers.builder(Config.fromUrl(kubernetes.url())).build().use { informers ->
				val informer = informers.informer(Widget::class.java)
				informers.start()
				assertThat(informer.awaitSync(Duration.ofSeconds(60))).isTrue()
				assertThat(informer.lister().namespace("blog").get("w").spec).isEqualTo(spec)
			}
		}
	}

	private fun <T : KubernetesObject> read(type: Class<T>, json: String): T {
		val found = mutableListOf<DecodedObject<T>>()
		val list = "{\"kind\": \"${type.simpleName}List\", \"items\": [$json]}"
		JsonCodec(ResourceType.of(type), JsonMappers(false)).readList(list.byteInputStream()) { found.add(it) }
		assertThat(found[0].problem()).isNull()
		return found[0].`object`()!!
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	data class Widget(
		private val apiVersion: String?,
		private val kind: String?,
		private val metadata: V1ObjectMeta?,
		val spec: WidgetSpec,
		@SerializedName("state") val status: WidgetStatus?
	) : KubernetesObject {

		var note: String? = null

		override fun getMetadata() = this.metadata

		override fun getApiVersion() = this.apiVersion

		override fun getKind() = this.kind

	}

	data class WidgetSpec(
		val name: String,
		internal val owner: String?,
		val size: Int,
		val tags: List<String>,
		val limits: Map<String, WidgetSpec>?,
		val phase: Phase? = Phase.NEW
	)

	data class WidgetStatus(val ready: Boolean)

	enum class Phase {

		NEW,

		@SerializedName("DONE")
		FINISHED

	}

	open class Base(private val metadata: V1ObjectMeta?) : KubernetesObject {

		override fun getMetadata() = this.metadata

		override fun getApiVersion() = "example.com/v1"

		override fun getKind(): String = javaClass.simpleName

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "optionsholders")
	class OptionsHolder(metadata: V1ObjectMeta?, val options: Options) : Base(metadata) {

		val title by lazy { "size ${options.size}" }

	}

	data class Options(val size: Int = 3, val tags: List<String> = listOf("default"), val mode: String? = "fast")

	@KubernetesResource(group = "example.com", version = "v1", plural = "places")
	class Place(metadata: V1ObjectMeta?, val city: String, val zone: String) : Base(metadata)

	@KubernetesResource(group = "example.com", version = "v1", plural = "sealeds")
	class Sealed(metadata: V1ObjectMeta?, val shape: Shape?) : Base(metadata)

	sealed interface Shape

}
