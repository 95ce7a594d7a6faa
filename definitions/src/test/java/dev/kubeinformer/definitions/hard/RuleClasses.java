package dev.kubeinformer.definitions.hard;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Negative;
import jakarta.validation.constraints.NegativeOrZero;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definition.Atomic;
import dev.kubeinformer.definition.DefaultValue;
import dev.kubeinformer.definition.ListMapKeys;
import dev.kubeinformer.definition.ListSet;
import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.definition.Scale;
import dev.kubeinformer.definition.ValidationRule;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * Classes that are hard by their annotations and defaults.
 */
public final class RuleClasses {

	private RuleClasses() {
	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "constraineds")
	static class Constrained extends Hard {

		@NotNull
		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.blank = "b";
			this.spec.many = List.of("xx", "yyy");
			this.spec.map = Map.of("a", 5);
			this.spec.email = "a@example.com";
			this.spec.code = "AB-12";
			this.spec.choice = "two";
			this.spec.twice = "abc";
			this.spec.percent = 100;
			this.spec.ratio = new BigDecimal("0.5");
			this.spec.negative = -1L;
			this.spec.notPositive = 0.0;
			this.spec.accepted = true;
			this.spec.deadline = OffsetDateTime.parse("2099-01-01T00:00:00Z");
			this.spec.name = "dns-name";
			this.spec.nested = List.of(Map.of("k", List.of("abc")));
		}

		static class Spec {

			@NotBlank
			String blank;

			@NotEmpty
			@Size(max = 3)
			List<@Size(min = 2, max = 4) @NotNull String> many;

			@Size(min = 1, max = 2)
			Map<@NotBlank String, @Min(1) @Max(9) Integer> map;

			@Email
			String email;

			@Pattern(regexp = "[A-Z]{2}-\\d+")
			String code;

			@Pattern(regexp = "one|two", flags = Pattern.Flag.CASE_INSENSITIVE)
			String choice;

			@Pattern(regexp = "^a.*$")
			@Pattern(regexp = ".*c")
			String twice;

			@Min(0)
			@Max(100)
			int percent;

			@DecimalMin(value = "0", inclusive = false)
			@DecimalMax("1.0")
			@Digits(integer = 1, fraction = 3)
			BigDecimal ratio;

			@Positive
			int positive = 1;

			@PositiveOrZero
			long notNegative;

			@Negative
			Long negative;

			@NegativeOrZero
			Double notPositive;

			@AssertTrue
			Boolean accepted;

			@Future
			OffsetDateTime deadline;

			@DnsName
			String name;

			@Min(value = 5, groups = Strict.class)
			int otherGroup;

			List<Map<String, List<@Size(min = 3) String>>> nested;

		}

		interface Strict {

		}

		@NotNull
		@Size(max = 63)
		@Pattern(regexp = "[a-z]([-a-z0-9]*[a-z0-9])?")
		@Constraint(validatedBy = {})
		@Retention(RetentionPolicy.RUNTIME)
		@Target(ElementType.FIELD)
		@interface DnsName {

			String message() default "";

			Class<?>[] groups() default {};

			Class<? extends Payload>[] payload() default {};

		}

	}

	@NullMarked
	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "markeds")
	static class Marked extends Hard {

		Spec spec = new Spec();

		@Nullable Status status;

		@Override
		protected void fill() {
			this.spec.name = "n";
			this.spec.elements = new ArrayList<>();
			this.spec.elements.add("a");
			this.spec.elements.add(null);
		}

		static class Spec {

			@SuppressWarnings("NullAway")
			String name;

			@Nullable String optional;

			int primitive;

			List<String> initialised = new ArrayList<>();

			List<@Nullable String> elements = new ArrayList<>();

			String defaulted = "d";

		}

		static class Status {

			@NonNull String phase = "Pending";

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "records")
	@NullMarked
	public record RecordKind(@Nullable String apiVersion, @Nullable String kind, V1ObjectMeta metadata, Spec spec,
			@Nullable Status status) implements KubernetesObject {

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public @Nullable String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public @Nullable String getKind() {
			return this.kind;
		}

		public static RecordKind filled(String name) {
			return new RecordKind("hard.example.com/v1", "RecordKind",
					new V1ObjectMeta().name(name).namespace("default"),
					new Spec(2, "img", Quantity.fromString("1"), List.of(new Port("http", 80)), Map.of(), Mode.FAST),
					null);
		}

		record Spec(@PrinterColumn(name = "Replicas") @DefaultValue("1") @Min(0) int replicas, @NotBlank String image,
				@DefaultValue("100m") Quantity cpu, @ListMapKeys("name") List<Port> ports,
				@DefaultValue("{\"a\":\"b\"}") Map<String, String> labels,
				@SerializedName("runMode") @DefaultValue("Fast") Mode mode) {

		}

		record Port(String name, @DefaultValue("80") @Min(1) @Max(65535) int port) {

		}

		record Status(@Nullable String phase, List<V1Condition> conditions) {

		}

		enum Mode {

			@SerializedName("Fast")
			FAST, SLOW

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "defaulteds")
	static class Defaulted extends Hard {

		Spec spec = new Spec();

		@Override
		protected void fill() {
			this.spec.id = "i";
			this.spec.created = OffsetDateTime.parse("2026-01-02T03:04:05Z");
		}

		static class Spec {

			String text = "yes";

			int number = 3;

			Integer zero = 0;

			boolean on = true;

			Boolean off = false;

			double ratio = 0.75;

			List<String> list = new ArrayList<>(List.of("a", "b"));

			Set<Integer> set = new LinkedHashSet<>(List.of(1, 2));

			Map<String, String> map = new LinkedHashMap<>(Map.of("k", "v"));

			List<String> none = new ArrayList<>();

			Inner inner = new Inner();

			Inner changed = new Inner("other");

			List<Inner> inners = List.of(new Inner(), new Inner("x"));

			OffsetDateTime fixed = OffsetDateTime.parse("2026-01-01T00:00:00Z");

			OffsetDateTime created = OffsetDateTime.now();

			String id = UUID.randomUUID().toString();

			Object any = Map.of("free", "form");

		}

		static class Inner {

			String name = "inner";

			int size = 5;

			Deep deep = new Deep();

			Inner() {
			}

			Inner(String name) {
				this.name = name;
			}

		}

		static class Deep {

			String value = "deep";

			long untouched;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "incompletes")
	static class Incomplete extends Hard {

		@NotNull
		Spec spec = new Spec();

		@Override
		protected void fill() {
			this.spec.name = "n";
		}

		static class Spec {

			@NotNull
			String name;

			int size = 3;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "listtypes")
	static class ListTypes extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.ports = List.of(new Port(80, "TCP"), new Port(80, "UDP"));
			this.spec.tags = List.of("a", "b");
			this.spec.set = new LinkedHashSet<>(List.of("x"));
			this.spec.whole = List.of("w", "w");
			this.spec.wholeMap = Map.of("a", "b");
			this.spec.wholeObject = new Port(1, "TCP");
			this.spec.atomicSet = new LinkedHashSet<>(List.of("s"));
		}

		static class Spec {

			@ListMapKeys({ "port", "protocol" })
			List<Port> ports;

			@ListSet
			List<String> tags;

			Set<String> set;

			@Atomic
			List<String> whole;

			@Atomic
			Map<String, String> wholeMap;

			@Atomic
			Port wholeObject;

			@Atomic
			Set<String> atomicSet;

		}

		static class Port {

			@NotNull
			Integer port;

			String protocol = "TCP";

			String name;

			Port() {
			}

			Port(int port, String protocol) {
				this.port = port;
				this.protocol = protocol;
			}

		}

	}

	@ValidationRule(value = "self.metadata.name.size() < 64", message = "name is too long")
	@ValidationRule("!has(self.spec.max) || self.spec.min <= self.spec.max")
	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "ruleds")
	static class Ruled extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.max = 5;
			this.spec.fixed = "f";
			this.spec.list = List.of("a");
			this.spec.port = Quantity.fromString("1");
		}

		@ValidationRule(value = "self.min >= 0", fieldPath = ".min", reason = "FieldValueForbidden",
				messageExpression = "'min must not be negative'")
		static class Spec {

			int min = 1;

			Integer max;

			@Size(max = 64)
			@ValidationRule(value = "self == oldSelf", message = "is immutable")
			String fixed;

			@Size(max = 10)
			@ValidationRule("self.all(x, x.size() < 5)")
			List<@Size(max = 20) String> list;

			@ValidationRule(value = """
					type(self) == int
						? self > 0
						: self != '0'""", message = "must be positive")
			Quantity port;

		}

	}

	@Scale(labelSelector = ".status.selector")
	@PrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = "date")
	@PrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status", priority = 1)
	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "scaleds", shortNames = { "scd", "sc2" },
			categories = { "all", "hard" }, selectableFields = { ".spec.color", ".spec.replicas", ".status.phase" })
	static class Scaled extends Hard {

		Spec spec = new Spec();

		Status status;

		@Override
		protected void fill() {
			this.spec.color = "red";
			this.spec.started = OffsetDateTime.parse("2026-01-02T03:04:05Z");
		}

		static class Spec {

			@PrinterColumn(name = "Desired", description = "Wanted replicas", format = "int32")
			int replicas = 1;

			@PrinterColumn(name = "Color")
			String color;

			@PrinterColumn(name = "Started")
			OffsetDateTime started;

		}

		static class Status {

			int replicas;

			String selector;

			@PrinterColumn(name = "Phase")
			String phase;

			List<V1Condition> conditions;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "globals", namespaced = false,
			statusSubresource = false)
	static class Global extends Hard {

		Spec spec;

		Status status;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.name = "n";
			this.status = new Status();
			this.status.phase = "written with the object";
		}

		static class Spec {

			private String name;

			@NotBlank
			String getName() {
				return this.name;
			}

		}

		static class Status {

			String phase;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v2", plural = "versioneds", kind = "Versioned")
	static class VersionedV2 extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.size = 1;
		}

		static class Spec {

			Integer size;

			Integer more = 2;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1beta1", plural = "versioneds", kind = "Versioned",
			storage = false, deprecationWarning = "hard.example.com/v1beta1 Versioned is deprecated; use v2")
	static class VersionedV1Beta1 extends Hard {

		VersionedV2.Spec spec;

		@Override
		protected void fill() {
			this.spec = new VersionedV2.Spec();
			this.spec.size = 1;
		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1alpha1", plural = "versioneds", kind = "Versioned",
			storage = false, served = false, deprecated = true)
	static class VersionedV1Alpha1 extends Hard {

		Map<String, Object> spec;

		@Override
		protected void fill() {
			this.spec = Map.of("size", 1.5);
		}

	}

}
