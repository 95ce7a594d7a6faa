package dev.kubeinformer.spring;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.handler.HandlerDecorator;
import dev.kubeinformer.spring.reconciler.ReconcilerDecorator;

/**
 * Runs each handler and reconciler as a user of Spring Security, as shown in the
 * documentation.
 */
@Component
class RunAsUser implements HandlerDecorator, ReconcilerDecorator {

	@Override
	public <T extends KubernetesObject> EventHandler<T> decorate(EventHandler<T> handler, String id,
			InformerSpec<T> spec) {
		return (event) -> {
			signIn(id);
			try {
				handler.handle(event);
			}
			finally {
				SecurityContextHolder.clearContext();
			}
		};
	}

	@Override
	public <T extends KubernetesObject> ReconcileFunction<T> decorate(ReconcileFunction<T> function, String id,
			ResourceType<T> type, boolean cleanup) {
		return (primary, run) -> {
			signIn(id);
			try {
				return function.reconcile(primary, run);
			}
			finally {
				SecurityContextHolder.clearContext();
			}
		};
	}

	private static void signIn(String id) {
		SecurityContext context = SecurityContextHolder.createEmptyContext();
		context.setAuthentication(UsernamePasswordAuthenticationToken.authenticated(id, null,
				AuthorityUtils.createAuthorityList("ROLE_CONTROLLER")));
		SecurityContextHolder.setContext(context);
	}

}
