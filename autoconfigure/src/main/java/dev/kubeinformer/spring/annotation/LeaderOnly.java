package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Method, or all methods of a type that are not private, that only the leader among the
 * replicas of an application enters. A method that returns nothing is skipped by the
 * others, such as one that is {@code @Scheduled}; any other throws a
 * {@code NotLeaderException}. When the term of this replica is over while the method
 * runs, its thread is interrupted.
 * <p>
 * The bean is proxied, so that calls from within the bean are not seen. Private, static
 * and final methods with the annotation fail the start, and so do final methods of a type
 * with it. So do methods that get events or reconcile: what a standby skips would be
 * lost, which {@link InformerHandler#leaderOnly()} and {@link Reconciler#leaderOnly()} do
 * not lose.
 * <p>
 * At a type it leaves out what the container calls to run or to ask the bean, such as
 * {@code start()} and {@code getOrder()}, and bean methods. A handler or a reconciler
 * does not have it, but {@code leaderOnly = "true"}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface LeaderOnly {

}
