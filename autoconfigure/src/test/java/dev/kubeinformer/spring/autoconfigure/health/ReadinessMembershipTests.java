package dev.kubeinformer.spring.autoconfigure.health;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorMembership;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that members of the readiness group are those that Boot would take.
 */
class ReadinessMembershipTests {

	private static final List<String> NAMES = List.of("informers", " informers ", "informers/pods", "informers/pods/a",
			"db", "informersX", "x/informers", "");

	static final List<Arguments> settings = List.of(Arguments.of(Set.of(), Set.of()),
			Arguments.of(Set.of("*"), Set.of()), Arguments.of(Set.of("informers"), Set.of()),
			Arguments.of(Set.of("informers/pods"), Set.of()), Arguments.of(Set.of("db"), Set.of()),
			Arguments.of(Set.of(), Set.of("informers")), Arguments.of(Set.of(), Set.of("*")),
			Arguments.of(Set.of(), Set.of("informers/pods")), Arguments.of(Set.of("*"), Set.of("informers/pods")),
			Arguments.of(Set.of("informers"), Set.of("informers")), Arguments.of(Set.of("x"), Set.of("db")));

	@ParameterizedTest
	@FieldSource("settings")
	void membersShouldBeThoseOfBoot(Set<String> include, Set<String> exclude) {
		HealthContributorMembership boot = HealthContributorMembership.byIncludeExclude(include, exclude);
		ReadinessMembership own = new ReadinessMembership(include, exclude);
		for (String name : NAMES) {
			assertThat(own.isMember(name)).as("'%s' of %s without %s", name, include, exclude)
				.isEqualTo(boot.isMember(name));
		}
	}

}
