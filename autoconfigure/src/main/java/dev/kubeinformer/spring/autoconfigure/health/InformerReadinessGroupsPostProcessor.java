package dev.kubeinformer.spring.autoconfigure.health;

import java.util.Set;
import java.util.function.Predicate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.core.env.Environment;

/**
 * Adds informers to the readiness group if the group exists. If the property
 * {@code include} of the group is set, it alone decides which members the group has.
 */
final class InformerReadinessGroupsPostProcessor implements HealthEndpointGroupsPostProcessor {

	private static final String GROUP = "management.endpoint.health.group." + InformerReadinessGroups.READINESS;

	private final Set<String> include;

	private final Set<String> exclude;

	private final ObjectProvider<InformerReadiness> readiness;

	InformerReadinessGroupsPostProcessor(Environment environment, ObjectProvider<InformerReadiness> readiness) {
		Binder binder = Binder.get(environment);
		this.include = binder.bind(GROUP + ".include", Bindable.setOf(String.class)).orElse(Set.of());
		this.exclude = binder.bind(GROUP + ".exclude", Bindable.setOf(String.class)).orElse(Set.of());
		this.readiness = readiness;
	}

	@Override
	public HealthEndpointGroups postProcessHealthEndpointGroups(HealthEndpointGroups groups) {
		HealthEndpointGroup group = groups.get(InformerReadinessGroups.READINESS);
		if (group == null) {
			return groups;
		}
		Predicate<String> admission = new ReadinessMembership(this.include, this.exclude)::isMember;
		// Obtain the bean with the first probe: this code runs inside a bean
		// post-processor, too early for other beans.
		Predicate<String> counting = (name) -> this.readiness.getObject().counts(name);
		return new InformerReadinessGroups(groups, new InformerReadinessGroup(group, admission, counting));
	}

}
