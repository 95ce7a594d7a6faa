package dev.kubeinformer.definitions;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.definition.Atomic;
import dev.kubeinformer.definition.DefaultValue;
import dev.kubeinformer.definition.ListMapKeys;
import dev.kubeinformer.definition.ListSet;
import dev.kubeinformer.definition.PreserveUnknownFields;
import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.definition.Scale;
import dev.kubeinformer.definition.ValidationRule;
import dev.kubeinformer.resource.KubernetesResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Classes whose definition kube-apiserver would refuse, and what the exception says.
 */
@NullUnmarked
class InvalidDefinitionTests {

	@ParameterizedTest
	@MethodSource
	void fieldThatIsRefusedIsNamed(Class<?> type, String field, String problem) {
		assertThatExceptionOfType(InvalidDefinitionException.class).isThrownBy(() -> CustomResourceDefinitions.of(type))
			.satisfies((ex) -> {
				assertThat(ex.getObjectClass()).isEqualTo(type);
				assertThat(ex.getField()).isEqualTo(field);
				assertThat(ex)
					.hasMessageStartingWith("No definition for '%s': field '%s' ".formatted(type.getName(), field));
				assertThat(ex.getProblem()).contains(problem);
				assertThat(ex.getAdvice()).isNotBlank();
			});
	}

	static Stream<Arguments> fieldThatIsRefusedIsNamed() {
		return Stream.of(arguments(Recursive.class, "spec.children[]", "contains '" + Recursive.Node.class.getName()),
				arguments(RecursiveByMap.class, "spec.*.inner.outer", "recursion"),
				arguments(RecursiveModel.class, "spec.allOf[]", V1JSONSchemaProps.class.getName()),
				arguments(NotReadable.class, "spec.maybe", "'java.util.Optional', which Gson cannot read"),
				arguments(AnInterface.class, "spec.backend", "which Gson cannot read"),
				arguments(Twice.class, "spec.name", "is declared by"),
				arguments(LookAhead.class, "spec.text", "does not support '(?='"),
				arguments(NotAPattern.class, "spec.text", "is not a regular expression"),
				arguments(SizeOfANumber.class, "spec.number", "@Size, which does not apply to the type 'integer'"),
				arguments(MinOfAnElement.class, "spec.texts[]", "@Min, which does not apply to the type 'string'"),
				arguments(EmptyRange.class, "spec.number", "minimum that is greater"),
				arguments(DefaultOutOfRange.class, "spec.number",
						"default '3', which its schema rejects: it must be in the range of 5"),
				arguments(DefaultWithoutField.class, "spec.part",
						"'{\"size\":1}', which its schema rejects: it must have the field 'name'"),
				arguments(DefaultOfOtherType.class, "spec.number", "it must be of type integer"),
				arguments(DefaultUnknown.class, "spec.color", "it must be one of [RED]"),
				arguments(DefaultNoJson.class, "spec.part", "which is not JSON"),
				arguments(DefaultTooLarge.class, "spec.number", "32 bits"),
				arguments(ConstructorThrows.class, "spec", "constructor threw java.lang.IllegalStateException: no"),
				arguments(KeyOptional.class, "spec.parts", "key 'name', which is neither required nor has a default"),
				arguments(KeyUnknown.class, "spec.parts", "key 'nmae', which is not a field"),
				arguments(KeyObject.class, "spec.wholes", "key 'part', which is not a scalar"),
				arguments(KeysOfScalars.class, "spec.texts", "not objects"),
				arguments(KeysOfNoList.class, "spec.text", "is not a list"),
				arguments(SetOfObjects.class, "spec.parts", "not scalar"),
				arguments(SetAndAtomic.class, "spec.texts", "more than one of"),
				arguments(AtomicScalar.class, "spec.text", "neither a list nor an object"),
				arguments(PreservingScalar.class, "spec.text", "of type 'string'"),
				arguments(RuleOnAnything.class, "spec.anything", "CEL"),
				arguments(RuleWithoutText.class, "spec.text", "empty @ValidationRule"),
				arguments(RuleReason.class, "spec.text", "unknown reason 'Wrong'"),
				arguments(RuleOfLines.class, "spec.text", "several lines without a message"),
				arguments(RulePath.class, "spec", "fieldPath 'text'"),
				arguments(ColumnInAList.class, "spec.parts[].name", "inside of a list"),
				arguments(NoConstants.class, "spec.nothing", "no constants"));
	}

	@ParameterizedTest
	@MethodSource
	void classThatIsRefusedIsNamed(Class<?> type, String problem) {
		assertThatExceptionOfType(InvalidDefinitionException.class).isThrownBy(() -> CustomResourceDefinitions.of(type))
			.satisfies((ex) -> {
				assertThat(ex.getField()).isEmpty();
				assertThat(ex).hasMessageStartingWith("No definition for '%s': ".formatted(type.getName()));
				assertThat(ex.getProblem()).contains(problem);
				assertThat(ex.getAdvice()).isNotBlank();
			});
	}

	static Stream<Arguments> classThatIsRefusedIsNamed() {
		return Stream.of(arguments(String.class, "no @KubernetesResource"),
				arguments(GroupWithoutDot.class, "group 'apps'"), arguments(UpperPlural.class, "plural 'Foos'"),
				arguments(UpperSingular.class, "singular 'Foo'"), arguments(UpperShortName.class, "short name 'FO'"),
				arguments(UpperCategory.class, "category 'All'"), arguments(VersionWithDot.class, "version 'v1.0'"),
				arguments(OddKind.class, "kind 'Odd_Kind'"), arguments(LongWarning.class, "deprecation warning"),
				arguments(NotStored.class, "none of the versions 'v1' is stored"),
				arguments(ColumnType.class, "printer column 'A' with the unknown type 'object'"),
				arguments(ColumnFormat.class, "printer column 'A' with the unknown format 'x'"),
				arguments(ColumnPath.class, "printer column 'A' with the path 'spec.a'"),
				arguments(ColumnField.class, "path '.spec.nope', and there is no such field"),
				arguments(ColumnWithoutPath.class, "'A' without a jsonPath"),
				arguments(SelectableField.class, "'.spec.nope', and there is no such field"),
				arguments(SelectableNumber.class, "not a string, boolean or integer"),
				arguments(SelectableName.class, "selectable field '.metadata.name'"),
				arguments(SelectableTwice.class, "'.spec.a' twice"),
				arguments(ScaleWithoutField.class, "'.status.replicas', and there is no such field"),
				arguments(ScaleElsewhere.class, "specReplicas of @Scale '.replicas'"));
	}

	@Test
	void versionsOfAKindFitTogether() {
		assertRefused("only one can be", Stored.class, StoredToo.class);
		assertRefused("scope 'Namespaced'", Stored.class, OtherScope.class);
		assertRefused("plural 'others'", Stored.class, OtherPlural.class);
		assertRefused("singular 'other'", Stored.class, OtherSingular.class);
		assertRefused("has the version 'v1' of the same kind", Stored.class, SameVersion.class);
	}

	@Test
	void namesOfAGroupAreUnique() {
		assertRefused("'kinds' is one of '%s'".formatted(Stored.class.getName()), Stored.class, SamePlural.class);
		assertRefused("'kinds' is one of '%s'".formatted(SameShortName.class.getName()), Stored.class,
				SameShortName.class);
		assertThat(CustomResourceDefinitions.of(Stored.class, OtherGroup.class).all()).hasSize(2);
	}

	private static void assertRefused(String problem, Class<?>... types) {
		assertThatExceptionOfType(InvalidDefinitionException.class)
			.isThrownBy(() -> CustomResourceDefinitions.of(types))
			.withMessageContaining(problem);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			[a-z]+(-[a-z]+)*; none
			a{1,1000}b*?c+?d??; none
			\\d\\w\\s\\b\\.\\-\\Q(?=)\\E; none
			\\p{L}\\pL\\P{Lu}\\x41; none
			(?:a|b)(?i)c(?<name>d); none
			[[:alpha:]]; [
			a(?!b); (?!
			(?<=a)b; (?<=
			(?<!a)b; (?<!
			(?>a); (?>
			(a)\\1; \\1
			(?<n>a)\\k<n>; \\k
			a++; ++
			a*+; *+
			a{2}+; {2}+
			a{1,1001}; {1,1001}
			[a-z&&[^b]]; &&
			[a[bc]]; [
			\\p{Alpha}; \\p{Alpha}
			a\\Z; \\Z
			\\h; \\h
			\\u0041; \\u
			""")
	void patternsThatGoDoesNotSupportAreFound(String regexp, String unsupported) {
		assertThat(GoPatterns.unsupported(regexp)).isEqualTo(unsupported.equals("none") ? null : unsupported);
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds", kind = "K")
	abstract static class Base<S> extends Kind {

		S spec;

	}

	static class Part {

		String name;

		int size;

	}

	static class Named {

		@NotNull
		String name;

		int size;

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class Recursive extends Base<Recursive.Node> {

		static class Node {

			List<Node> children;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class RecursiveByMap extends Base<Map<String, RecursiveByMap.Outer>> {

		static class Outer {

			Inner inner;

		}

		static class Inner {

			Outer outer;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class RecursiveModel extends Base<V1JSONSchemaProps> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class NotReadable extends Base<NotReadable.Spec> {

		static class Spec {

			Optional<String> maybe;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class AnInterface extends Base<AnInterface.Spec> {

		static class Spec {

			Backend backend;

		}

		interface Backend {

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class Twice extends Base<Twice.Spec> {

		static class Spec {

			String name;

			@SerializedName("name")
			String other;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class LookAhead extends Base<LookAhead.Spec> {

		static class Spec {

			@Pattern(regexp = "(?=a)b")
			String text;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class NotAPattern extends Base<NotAPattern.Spec> {

		static class Spec {

			@Pattern(regexp = "(a")
			String text;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class SizeOfANumber extends Base<SizeOfANumber.Spec> {

		static class Spec {

			@Size(max = 3)
			int number;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class MinOfAnElement extends Base<MinOfAnElement.Spec> {

		static class Spec {

			List<@Min(3) String> texts;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class EmptyRange extends Base<EmptyRange.Spec> {

		static class Spec {

			@Min(3)
			@jakarta.validation.constraints.Max(2)
			int number;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class DefaultOutOfRange extends Base<DefaultOutOfRange.Spec> {

		static class Spec {

			@Min(5)
			int number = 3;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class DefaultWithoutField extends Base<DefaultWithoutField.Spec> {

		static class Spec {

			@DefaultValue("{\"size\":1}")
			Named part;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class DefaultOfOtherType extends Base<DefaultOfOtherType.Spec> {

		static class Spec {

			@DefaultValue("\"a\"")
			int number;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class DefaultUnknown extends Base<DefaultUnknown.Spec> {

		static class Spec {

			@DefaultValue("BLUE")
			Color color;

		}

		enum Color {

			RED

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class DefaultNoJson extends Base<DefaultNoJson.Spec> {

		static class Spec {

			@DefaultValue("{a")
			Part part;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class DefaultTooLarge extends Base<DefaultTooLarge.Spec> {

		static class Spec {

			@DefaultValue("5000000000")
			int number;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class ConstructorThrows extends Base<ConstructorThrows.Spec> {

		static class Spec {

			Spec() {
				throw new IllegalStateException("no");
			}

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class KeyOptional extends Base<KeyOptional.Spec> {

		static class Spec {

			@ListMapKeys("name")
			List<Part> parts;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class KeyUnknown extends Base<KeyUnknown.Spec> {

		static class Spec {

			@ListMapKeys("nmae")
			List<Part> parts;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class KeyObject extends Base<KeyObject.Spec> {

		static class Spec {

			@ListMapKeys("part")
			List<Whole> wholes;

		}

		static class Whole {

			@NotNull
			Part part;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class KeysOfScalars extends Base<KeysOfScalars.Spec> {

		static class Spec {

			@ListMapKeys("a")
			List<String> texts;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class KeysOfNoList extends Base<KeysOfNoList.Spec> {

		static class Spec {

			@ListMapKeys("a")
			String text;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class SetOfObjects extends Base<SetOfObjects.Spec> {

		static class Spec {

			@ListSet
			List<Part> parts;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class SetAndAtomic extends Base<SetAndAtomic.Spec> {

		static class Spec {

			@ListSet
			@Atomic
			List<String> texts;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class AtomicScalar extends Base<AtomicScalar.Spec> {

		static class Spec {

			@Atomic
			String text;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class PreservingScalar extends Base<PreservingScalar.Spec> {

		static class Spec {

			@PreserveUnknownFields
			String text;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class RuleOnAnything extends Base<RuleOnAnything.Spec> {

		static class Spec {

			@ValidationRule("true")
			Object anything;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class RuleWithoutText extends Base<RuleWithoutText.Spec> {

		static class Spec {

			@ValidationRule(" ")
			String text;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class RuleReason extends Base<RuleReason.Spec> {

		static class Spec {

			@ValidationRule(value = "true", reason = "Wrong")
			String text;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class RuleOfLines extends Base<RuleOfLines.Spec> {

		static class Spec {

			@ValidationRule("true\n&& true")
			String text;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class RulePath extends Base<RulePath.Spec> {

		@ValidationRule(value = "true", fieldPath = "text")
		static class Spec {

			String text;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class ColumnInAList extends Base<ColumnInAList.Spec> {

		static class Spec {

			List<Element> parts;

		}

		static class Element {

			@PrinterColumn(name = "A")
			String name;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds")
	static class NoConstants extends Base<NoConstants.Spec> {

		static class Spec {

			Nothing nothing;

		}

		enum Nothing {

		}

	}

	@KubernetesResource(group = "apps", version = "v1", plural = "kinds")
	static class GroupWithoutDot extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "Foos")
	static class UpperPlural extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos", singular = "Foo")
	static class UpperSingular extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos", shortNames = "FO")
	static class UpperShortName extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos", categories = "All")
	static class UpperCategory extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1.0", plural = "foos")
	static class VersionWithDot extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos", kind = "Odd_Kind")
	static class OddKind extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos", deprecationWarning = "two\nlines")
	static class LongWarning extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos", storage = false)
	static class NotStored extends Base<Part> {

	}

	@PrinterColumn(name = "A", jsonPath = ".spec.name", type = "object")
	@KubernetesResource(group = "example.com", version = "v1", plural = "foos")
	static class ColumnType extends Base<Part> {

	}

	@PrinterColumn(name = "A", jsonPath = ".spec.name", format = "x")
	@KubernetesResource(group = "example.com", version = "v1", plural = "foos")
	static class ColumnFormat extends Base<Part> {

	}

	@PrinterColumn(name = "A", jsonPath = "spec.a")
	@KubernetesResource(group = "example.com", version = "v1", plural = "foos")
	static class ColumnPath extends Base<Part> {

	}

	@PrinterColumn(name = "A", jsonPath = ".spec.nope")
	@KubernetesResource(group = "example.com", version = "v1", plural = "foos")
	static class ColumnField extends Base<Part> {

	}

	@PrinterColumn(name = "A")
	@KubernetesResource(group = "example.com", version = "v1", plural = "foos")
	static class ColumnWithoutPath extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos", selectableFields = ".spec.nope")
	static class SelectableField extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos", selectableFields = ".spec")
	static class SelectableNumber extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos", selectableFields = ".metadata.name")
	static class SelectableName extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos",
			selectableFields = { ".spec.a", ".spec.a" })
	static class SelectableTwice extends Base<Map<String, String>> {

	}

	@Scale(specReplicas = ".spec.size")
	@KubernetesResource(group = "example.com", version = "v1", plural = "foos")
	static class ScaleWithoutField extends Base<Part> {

	}

	@Scale(specReplicas = ".replicas")
	@KubernetesResource(group = "example.com", version = "v1", plural = "foos")
	static class ScaleElsewhere extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds", kind = "K")
	static class Stored extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v2", plural = "kinds", kind = "K")
	static class StoredToo extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v2", plural = "kinds", kind = "K", storage = false,
			namespaced = false)
	static class OtherScope extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1beta1", plural = "others", kind = "K", storage = false)
	static class OtherPlural extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1beta1", plural = "kinds", kind = "K", storage = false,
			singular = "other")
	static class OtherSingular extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds", kind = "K", storage = false)
	static class SameVersion extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "kinds", kind = "Other")
	static class SamePlural extends Base<Part> {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "others", kind = "Another",
			shortNames = "kinds")
	static class SameShortName extends Base<Set<String>> {

	}

	@KubernetesResource(group = "other.example.com", version = "v1", plural = "kinds", kind = "K")
	static class OtherGroup extends Base<Part> {

	}

}
