package dev.kubeinformer.test;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("once")
class ArchitectureTests {

	private static final String ROOT = "dev.kubeinformer";

	private static final String MODULE = ROOT + ".test";

	private static final String FRONT_DOOR = MODULE;

	private static final String INTERNAL = MODULE + ".internal";

	// Each room and the rooms that it may know. A room knows only rooms above it, so that
	// no way leads back.
	private static final Map<String, List<String>> ROOMS = new LinkedHashMap<>();

	static {
		ROOMS.put("json", List.of());
		ROOMS.put("proxy", List.of());
		ROOMS.put("table", List.of("json"));
		ROOMS.put("schema", List.of("json"));
		ROOMS.put("cel", List.of("schema"));
		ROOMS.put("resource", List.of("table", "schema"));
		ROOMS.put("status", List.of("json", "resource"));
		ROOMS.put("builtin", List.of("json", "resource", "status"));
		ROOMS.put("request", List.of("resource", "status"));
		ROOMS.put("access", List.of("json", "resource", "status", "request"));
		ROOMS.put("storage", List.of("json", "resource", "status"));
		ROOMS.put("selector", List.of("resource", "status", "request", "storage"));
		ROOMS.put("patch", List.of("json", "schema", "resource", "status"));
		ROOMS.put("http", List.of("json", "status", "request", "access"));
		ROOMS.put("fault", List.of("json", "resource", "status", "request", "http"));
		ROOMS.put("write",
				List.of("json", "schema", "table", "resource", "builtin", "status", "request", "storage", "patch"));
		ROOMS.put("lease", List.of("json", "resource", "status", "storage", "write"));
		ROOMS.put("garbage", List.of("resource", "status", "storage", "write"));
		ROOMS.put("render", List.of("json", "table", "resource", "status", "request", "storage", "fault"));
		ROOMS.put("discovery", List.of("json", "schema", "resource", "status", "builtin", "request", "http"));
		ROOMS.put("review", List.of("json", "resource", "status", "request", "access", "http"));
		ROOMS.put("list",
				List.of("json", "resource", "status", "request", "storage", "selector", "http", "fault", "render"));
		ROOMS.put("watch", List.of("resource", "status", "request", "storage", "selector", "http", "fault", "render"));
		ROOMS.put("endpoint", List.of("json", "schema", "resource", "status", "request", "access", "storage", "patch",
				"http", "fault", "write", "lease", "render", "discovery", "review", "list", "watch"));
		ROOMS.put("protobuf", List.of("json", "resource", "status", "request"));
		ROOMS.put("server", List.of("json", "schema", "cel", "resource", "request", "access", "storage", "selector",
				"http", "fault", "write", "lease", "garbage", "render", "list", "watch", "endpoint", "protobuf"));
		ROOMS.put("training", List.of("json", "resource", "status", "storage", "write", "server"));
		ROOMS.put("scripted", List.of("resource", "status", "request", "http"));
	}

	private final JavaClasses classes = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(MODULE);

	@Test
	void moduleWhenBuiltShouldNotKnowSpring() {
		ArchRuleDefinition.noClasses()
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework..")
			.check(this.classes);
	}

	@Test
	void moduleWhenBuiltShouldNotKnowOtherModules() {
		DescribedPredicate<JavaClass> elsewhere = DescribedPredicate.describe("are of another module",
				(type) -> type.getPackageName().startsWith(ROOT) && !type.getPackageName().startsWith(MODULE));
		ArchRuleDefinition.noClasses().should().dependOnClassesThat(elsewhere).check(this.classes);
	}

	@Test
	void roomWhenNamedShouldKnowOnlyRoomsNamedBeforeIt() {
		Set<String> named = new HashSet<>();
		ROOMS.forEach((room, known) -> {
			assertThat(named).as("rooms above %s", room).containsAll(known);
			named.add(room);
		});
	}

	@Test
	void roomWhenBuiltShouldHaveAPlaceInTheOrder() {
		Set<String> built = this.classes.stream()
			.map(JavaClass::getPackageName)
			.filter((name) -> name.startsWith(INTERNAL))
			.map((name) -> name.substring(INTERNAL.length() + 1))
			.collect(Collectors.toSet());
		assertThat(built).isEqualTo(ROOMS.keySet());
	}

	@Test
	void roomWhenBuiltShouldKnowOnlyRoomsBelowIt() {
		ROOMS.forEach((room, known) -> {
			Set<String> allowed = known.stream().map((name) -> INTERNAL + "." + name).collect(Collectors.toSet());
			allowed.add(INTERNAL + "." + room);
			DescribedPredicate<JavaClass> elsewhere = DescribedPredicate.describe("are of a room it may not know",
					(type) -> type.getPackageName().startsWith(MODULE) && !allowed.contains(type.getPackageName()));
			ArchRuleDefinition.noClasses()
				.that()
				.resideInAPackage(INTERNAL + "." + room)
				.should()
				.dependOnClassesThat(elsewhere)
				.check(this.classes);
		});
	}

	@Test
	void roomsWhenBuiltShouldHaveNoCycles() {
		SlicesRuleDefinition.slices().matching(MODULE + ".(**)").should().beFreeOfCycles().check(this.classes);
	}

	@Test
	void roomWhenBuiltShouldNotKnowTheFrontDoor() {
		ArchRuleDefinition.noClasses()
			.that()
			.resideInAPackage(INTERNAL + "..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(FRONT_DOOR)
			.check(this.classes);
	}

	@Test
	void frontDoorWhenUsedShouldShowNoInternalType() {
		Stream<JavaClass> front = this.classes.stream()
			.filter((type) -> type.getPackageName().equals(FRONT_DOOR) && isVisible(type));
		assertThat(front.flatMap(ArchitectureTests::shown)).isNotEmpty()
			.filteredOn((type) -> type.getPackageName().startsWith(INTERNAL))
			.isEmpty();
	}

	private static boolean isVisible(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				|| type.getModifiers().contains(JavaModifier.PROTECTED);
	}

	private static boolean isVisible(JavaMember member) {
		return member.getModifiers().contains(JavaModifier.PUBLIC)
				|| member.getModifiers().contains(JavaModifier.PROTECTED);
	}

	// The types of a class that users see: its supertypes, and the types of its members
	// with their type arguments.
	private static Stream<JavaClass> shown(JavaClass type) {
		Stream<JavaType> supertypes = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
		Stream<JavaClass> members = type.getMembers()
			.stream()
			.filter(ArchitectureTests::isVisible)
			.flatMap((member) -> Stream.concat(member.getAllInvolvedRawTypes().stream(), declared(member)));
		return Stream.concat(supertypes.flatMap((shown) -> shown.getAllInvolvedRawTypes().stream()), members);
	}

	// The exceptions that a member declares.
	private static Stream<JavaClass> declared(JavaMember member) {
		return (member instanceof JavaCodeUnit unit) ? unit.getExceptionTypes().stream() : Stream.empty();
	}

}
