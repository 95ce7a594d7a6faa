package dev.kubeinformer.spring.autoconfigure.health;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.AdditionalPathsMapper;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;

/**
 * Health groups with a replaced readiness group. Maps additional paths like the original groups, so that {@code /readyz} keeps working.
 *
 * @param delegate the groups without informers
 * @param readiness the readiness group
 */
record InformerReadinessGroups(HealthEndpointGroups delegate,
		HealthEndpointGroup readiness) implements HealthEndpointGroups, AdditionalPathsMapper {

	static final String READINESS = "readiness";

	@Override
	public HealthEndpointGroup getPrimary() {
		return this.delegate.getPrimary();
	}

	@Override
	public Set<String> getNames() {
		return this.delegate.getNames();
	}

	@Override
	public @Nullable HealthEndpointGroup get(String name) {
		return name.equals(READINESS) ? this.readiness : this.delegate.get(name);
	}

	@Override
	public @Nullable List<String> getAdditionalPaths(EndpointId endpointId, WebServerNamespace webServerNamespace) {
		return (this.delegate instanceof AdditionalPathsMapper mapper)
				? mapper.getAdditionalPaths(endpointId, webServerNamespace) : null;
	}

}
