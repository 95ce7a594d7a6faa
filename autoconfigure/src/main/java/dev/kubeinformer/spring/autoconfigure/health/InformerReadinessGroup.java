package dev.kubeinformer.spring.autoconfigure.health;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;

/**
 * Readiness group that has informers as members and delegates everything else to another
 * group.
 *
 * @param delegate the group without informers
 * @param admission the check whether the configuration includes a contributor
 * @param counting the check whether readiness currently includes a component, by its id
 */
record InformerReadinessGroup(HealthEndpointGroup delegate, Predicate<String> admission,
		Predicate<String> counting) implements HealthEndpointGroup {

	private static final String CONTRIBUTOR = "informers";

	private static final String CHILDREN = CONTRIBUTOR + "/";

	@Override
	public boolean isMember(String name) {
		if (name.startsWith(CHILDREN)) {
			return this.admission.test(name) && this.counting.test(name.substring(CHILDREN.length()));
		}
		return name.equals(CONTRIBUTOR) ? this.admission.test(name) : this.delegate.isMember(name);
	}

	@Override
	public boolean showComponents(SecurityContext securityContext) {
		return this.delegate.showComponents(securityContext);
	}

	@Override
	public boolean showDetails(SecurityContext securityContext) {
		return this.delegate.showDetails(securityContext);
	}

	@Override
	public StatusAggregator getStatusAggregator() {
		return this.delegate.getStatusAggregator();
	}

	@Override
	public HttpCodeStatusMapper getHttpCodeStatusMapper() {
		return this.delegate.getHttpCodeStatusMapper();
	}

	@Override
	public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
		return this.delegate.getAdditionalPath();
	}

}
