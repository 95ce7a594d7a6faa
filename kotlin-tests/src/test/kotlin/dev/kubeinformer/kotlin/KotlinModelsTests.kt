package dev.kubeinformer.kotlin

import com.google.gson.annotations.SerializedName
import dev.kubeinformer.informer.InformerSpec
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
			"limits": {"cpu": {"name": "c", "owner": "p", "size": 1, "tags": [], "phase": "NEW"}}, "phase": "DONE"}, "state": {"ready": true}, "note": "x"}"""
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
	fun `what is missing is null or zero where the type allows it`() {
		val widget = read(Widget::class.java, "{$metadata, \"spec\": {\"name\": \"n\", \"tags\": [], \"unknown\": 1}}")
		assertThat(widget.status).isNull()
		assertThat(widget.spec).isEqualTo(WidgetSpec("n", null, 0, listOf(), null, Phase.NEW))
	}

	@Test
	fun `object without a value that must not be null is not read, and says which`() {
		val json = "{$metadata, \"spec\": {\"name\": \"n\"}}"
		// The official client leaves null what cannot be null.
		assertThat(JSON.deserialize<Widget>(json, Widget::class.java).spec.tags as List<*>?).isNull()
		assertThat(decode(Widget::class.java, json).problem()).contains("WidgetSpec", "NullPointerException", "'tags'",
			"a type that allows null, or a default")
		assertThat(decode(Widget::class.java, "{$metadata}").problem()).contains("as Widget:", "'spec'")
		assertThat(decode(Widget::class.java, "{$metadata, \"spec\": null}").problem()).contains("'spec'")
	}

	@Test
	fun `what is missing keeps its default, which cannot be changed`() {
		val plan = read(PlanHolder::class.java, "{$metadata, \"plan\": {\"name\": \"n\"}}").plan
		assertThat(plan).isEqualTo(Plan("n"))
		assertThat(plan.title).isEqualTo("plan n")
		assertThatExceptionOfType(UnsupportedOperationException::class.java).isThrownBy { plan.steps.add("b") }
		assertThat(Informers.copyOf(plan).steps.apply { add("b") }).containsExactly("a", "b")
		val other = read(PlanHolder::class.java, "{$metadata, \"plan\": {\"name\": \"n\", \"steps\": [], \"size\": 0, \"note\": null}}").plan
		assertThat(other).isEqualTo(Plan("n", mutableListOf(), 0, null))
		assertThat(decode(PlanHolder::class.java, "{$metadata, \"plan\": {}}").problem()).contains("'name'")
	}

	@Test
	fun `transient property has its default`() {
		val memo = read(MemoHolder::class.java, "{$metadata, \"memo\": {\"name\": \"n\", \"seen\": [\"other\"], \"hits\": 9}}").memo
		assertThat(memo).isEqualTo(Memo("n"))
		memo.seen.add("b")
		assertThat(memo.seen).containsExactly("memo n", "b")
		assertThat(Informers.copyOf(memo).name).isEqualTo("n")
	}

	@Test
	fun `each of many parameters keeps its default`() {
		val many = read(ManyHolder::class.java, "{$metadata, \"many\": {\"a\": 7, \"z1\": 8}}").many
		assertThat(many).isEqualTo(Many(a = 7, z1 = 8))
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
		val decoded = decode(type, json)
		assertThat(decoded.problem()).isNull()
		return decoded.`object`()!!
	}

	private fun <T : KubernetesObject> decode(type: Class<T>, json: String): DecodedObject<T> {
		val found = mutableListOf<DecodedObject<T>>()
		val list = "{\"kind\": \"${type.simpleName}List\", \"items\": [$json]}"
		JsonCodec(ResourceType.of(type), JsonMappers(false)).readList(list.byteInputStream()) { found.add(it) }
		return found[0]
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

	@KubernetesResource(group = "example.com", version = "v1", plural = "plans")
	data class PlanHolder(private val metadata: V1ObjectMeta, val plan: Plan) : Base(metadata)

	data class Plan(
		val name: String,
		val steps: MutableList<String> = mutableListOf("a"),
		val size: Int = 3,
		val note: String? = "none",
		val title: String = "plan $name"
	)

	@KubernetesResource(group = "example.com", version = "v1", plural = "memos")
	data class MemoHolder(private val metadata: V1ObjectMeta, val memo: Memo) : Base(metadata)

	data class Memo(
		val name: String,
		@Transient val seen: MutableList<String> = mutableListOf("memo $name"),
		@Transient val hits: Int = 3
	)

	@KubernetesResource(group = "example.com", version = "v1", plural = "many")
	data class ManyHolder(private val metadata: V1ObjectMeta, val many: Many) : Base(metadata)

	@Suppress("unused")
	data class Many(
		val a: Int,
		val b: Int = 2,
		val c: Int = 3,
		val d: Int = 4,
		val e: Int = 5,
		val f: Int = 6,
		val g: Int = 7,
		val h: Int = 8,
		val i: Int = 9,
		val j: Int = 10,
		val k: Int = 11,
		val l: Int = 12,
		val m: Int = 13,
		val n: Int = 14,
		val o: Int = 15,
		val p: Int = 16,
		val q: Int = 17,
		val r: Int = 18,
		val s: Int = 19,
		val t: Int = 20,
		val u: Int = 21,
		val v: Int = 22,
		val w: Int = 23,
		val x: Int = 24,
		val y: Int = 25,
		val z: Int = 26,
		val z1: Int = 27,
		val z2: Int = 28,
		val z3: Int = 29,
		val z4: Int = 30,
		val z5: Int = 31,
		val z6: Int = 32,
		val z7: Int = 33,
		val z8: Int = 34,
		val z9: Int = 35
	)

	@KubernetesResource(group = "example.com", version = "v1", plural = "places")
	class Place(metadata: V1ObjectMeta?, val city: String, val zone: String) : Base(metadata)

	@KubernetesResource(group = "example.com", version = "v1", plural = "sealeds")
	class Sealed(metadata: V1ObjectMeta?, val shape: Shape?) : Base(metadata)

	sealed interface Shape

}
